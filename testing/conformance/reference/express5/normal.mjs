// Reduces a response to what is compared: beside-express5.md says what is left out.

const LEFT_OUT = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-powered-by', 'server']
const PAGE_HEADERS = ['content-type', 'content-length', 'content-security-policy', 'x-content-type-options']
const GENERATED_TAG = /"[0-9a-f]+-[^"]+"/g
const QUOTED_TOKEN = /"([\w!#$%&'*+.^`|~-]+)"/g
const NAMES = {
  etag: 'ETag',
  'www-authenticate': 'WWW-Authenticate',
  'x-http-method-override': 'X-HTTP-Method-Override'
}

/** Returns the status, the headers and the text of the body that count. */
export function normal ({ status, headers, body, cut }, method, row) {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !LEFT_OUT.includes(name)))
  let text = shown(body)
  if (status >= 400 && (body.length === 0 || isPage(kept, text))) {
    // The default page of an error, which has other words in each.
    text = ''
    for (const name of PAGE_HEADERS) delete kept[name]
  }
  const framesBody = method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
  if (framesBody && !cut) delete kept['content-length']
  mask(kept, 'etag', tag => tag.replace(GENERATED_TAG, '"…"'))
  mask(kept, 'content-type', type => type.toLowerCase())
  mask(kept, 'vary', fields => list(fields.toLowerCase()).map(headerName).join(', '))
  mask(kept, 'allow', methods => list(methods).join(', '))
  mask(kept, 'content-disposition', value => value.replace(QUOTED_TOKEN, '$1'))
  mask(kept, 'set-cookie', cookie => sessionCookie(cookie, row.attributes))
  return { status, headers: kept, body: cut ? text + ' (cut)' : text }
}

/** Returns the entries of a list, whose order does not count. */
function list (value) {
  return value.split(/\s*,\s*|\n/).sort()
}

function mask (headers, name, change) {
  if (name in headers) headers[name] = change(headers[name])
}

function isPage (headers, text) {
  return (headers['content-type'] ?? '').startsWith('text/html') &&
    (text.includes('<title>Error</title>') || !text.includes('<html'))
}

/** Hides the id of a session, and its attributes unless they are what the request is about. */
function sessionCookie (cookie, attributes) {
  const [first, ...others] = cookie.split(/; */)
  if (!first.startsWith('sid=')) return cookie
  if (first === 'sid=') return 'sid= (cleared)'
  return attributes ? ['sid=…', ...others.sort()].join('; ') : 'sid=…'
}

/** Returns bytes as text, with those that are not UTF-8 as escapes. */
function shown (body) {
  const text = body.toString('utf8')
  return Buffer.from(text).equals(body) ? text : escaped(body.toString('latin1'))
}

/** Returns text with the characters that a reader would not see, or not be sure of, as escapes. */
export function escaped (text) {
  return text.replace(/[\u0000-\u001f\u007f-\u00ff]/g, char => char === '\r'
    ? '\\r'
    : char === '\n'
      ? '\\n'
      : '\\x' + char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0'))
}

/** Returns the line of a log without its date. */
export function logLine (line) {
  return line.replace(/\[\d\d\/\w{3}\/\d{4}:[^\]]*\](?= ")/, '[date]')
}

/** Returns the names of what differs between two answers. */
export function differences (theirs, ours) {
  const names = new Set([...Object.keys(theirs.headers), ...Object.keys(ours.headers)])
  const differing = [...names].filter(name => theirs.headers[name] !== ours.headers[name])
  for (const part of ['status', 'body', 'log']) {
    if (theirs[part] !== ours[part]) differing.push(part)
  }
  return differing
}

/** Returns the usual spelling of a header's name. */
export function headerName (name) {
  return NAMES[name] ?? name.replace(/\b[a-z]/g, letter => letter.toUpperCase())
}
