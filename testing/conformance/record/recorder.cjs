// Records what an Express application answers as scenarios for `testing/conformance/play --url`, as its first line: app.use(require('./recorder.cjs')('shop.json', { secrets: ['password', 'token'] }))
// Values of cookies and Authorization, and of fields and parameters of the names given, are written as $SECRET{name}.
const fs = require('fs')
const UNSEEN = /^(date|connection|keep-alive|transfer-encoding|x-powered-by|server)$/
const UNSENT = /^(connection|content-length|transfer-encoding|accept-encoding|expect)$/
module.exports = function recorder (file, { secrets = [], ignore = () => [] } = {}) {
  const out = fs.openSync(file, 'w')
  const known = new Map() // value -> name: a token that an answer gave is the same secret when it comes back
  const any = `[^=&"]*(?:${secrets.join('|')})`
  const fields = [`((?:^|[?&])(${any})(?:\\]|%5D)?=)([^&\\s"<]+)`, `(name="(${any})\\]?"\\r\\n\\r\\n)([^\\r]+)`,
    `(<(?:input|meta)\\b(?=[^>]*\\bname="(${any})")[^>]*?\\b(?:value|content)=")([^"]+)`,
    `("(${any})"\\s*:\\s*"?)((?:[^"\\\\,}\\s]|\\\\.|(?<=:\\s*"[^"]*)[,}\\s])+)`].map(one => new RegExp(one, 'gi'))
  const hide = (name, value) => {
    const key = value.length > 5 ? value : `${name}\n${value}`
    if (!known.has(key)) known.set(key, [...known.values()].includes(name) ? `${name} ${known.size}` : name)
    return `$SECRET{${known.get(key)}}`
  }
  const text = value => {
    if (secrets.length) for (const one of fields) value = value.replace(one, (all, before, name, secret) => before + hide(name, secret))
    for (const [secret, name] of known) value = value.split(secret).join(`$SECRET{${name}}`)
    return value
  }
  const cookies = line => line.replace(/([^=;\s]+)=([^;]+)/g, (all, name, value) => `${name}=${hide('cookie ' + name, value)}`)
  const header = (name, value) => {
    if (name === 'cookie') return cookies(value)
    if (name === 'set-cookie') return value.replace(/^[^=]+=[^;]+/, cookies)
    const seen = text(value)
    return seen === value && /^(proxy-)?authorization$/.test(name) ? value.replace(/\S+$/, secret => hide(name, secret)) : seen
  }
  const body = (bytes, type = '') => Buffer.from(bytes.toString()).equals(bytes)
    ? [text(bytes.toString())]
    : [undefined, (type.startsWith('multipart/') ? Buffer.from(text(bytes.toString('latin1')), 'latin1') : bytes).toString('base64')]
  let [end, count] = [fs.writeSync(out, '['), 0]
  return function record (req, res, next) {
    const [asked, sent, method, target, push] = [[], [], req.method, req.originalUrl || req.url, req.push]
    delete req.headers['accept-encoding'] // answers are recorded as they are, not compressed
    req.push = (chunk, ...rest) => { if (chunk) asked.push(chunk); return push.call(req, chunk, ...rest) }
    for (const send of ['write', 'end']) {
      const original = res[send].bind(res)
      res[send] = (chunk, coding, ...rest) => {
        if (chunk && typeof chunk !== 'function') sent.push(Buffer.from(chunk, typeof coding === 'string' ? coding : 'utf8'))
        return original(chunk, coding, ...rest)
      }
    }
    res.once('finish', () => {
      const [wanted, got] = [Buffer.concat(asked), Buffer.concat(method === 'HEAD' ? [] : sent)]
      if (Math.max(wanted.length, got.length) > 1 << 20) return console.warn(`not recorded, since too long: ${method} ${target}`)
      const request = { method, path: text(target), headers: {} }
      for (const [name, value] of Object.entries(req.headers)) if (!UNSENT.test(name)) request.headers[name] = header(name, String(value))
      if (wanted.length) request.body = (([text, base64]) => text === undefined ? { base64 } : text)(body(wanted, req.headers['content-type']))
      const answer = { status: res.statusCode, headers: {} }
      for (const [, name, value] of res._header.matchAll(/^([^:\s]+): ?(.*)\r$/gm)) {
        const [lower, line] = [name.toLowerCase(), header(name.toLowerCase(), value)]
        if (!UNSEEN.test(lower)) answer.headers[lower] = lower in answer.headers ? answer.headers[lower] + '\n' + line : line
      }
      [answer.body, answer.bodyBase64] = body(got)
      const scenario = { id: `${method.toLowerCase()}/${String(++count).padStart(4, '0')}`, requests: [request], ignore: ignore(req, res), expect: [answer] }
      end += fs.writeSync(out, `${count > 1 ? ',' : ''}\n${JSON.stringify(scenario)}`, end)
      fs.writeSync(out, '\n]\n', end)
    })
    next()
  }
}
