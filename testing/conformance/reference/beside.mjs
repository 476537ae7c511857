// Answers what the originals make of given requests: a line with an array of requests in, a line of text for each out.
// ../beside-node starts it; Ours.java gives the same lines for this project.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

const require = createRequire(process.argv[2])
const parsers = require('body-parser')
const { cookieParser, query } = require('express')
const made = new Map()

const middleware = (kind, options) => {
  const key = kind + JSON.stringify(options)
  if (!made.has(key)) {
    if (made.size > 1000) made.clear()
    made.set(key, kind === 'cookies' ? cookieParser(options.secret)
      : kind === 'query' ? query()
        : parsers[kind](options))
  }
  return made.get(key)
}

const play = request => new Promise(resolve => {
  const req = new Readable({ read () {} })
  req.headers = request.headers
  req.url = request.url
  const body = Buffer.from(request.body, 'base64')
  let start = 0
  for (const end of [...request.cuts, body.length]) {
    if (end > start) req.push(body.subarray(start, end))
    start = end
  }
  req.push(null)
  try {
    middleware(request.kind, request.options)(req, {}, error => resolve(answer(request.kind, req, error)))
  } catch (error) {
    resolve(JSON.stringify({ setup: error.message }))
  }
})

const answer = (kind, req, error) => {
  if (error) return failure(error)
  if (kind === 'cookies') return JSON.stringify({ cookies: req.cookies, signed: req.signedCookies })
  if (kind === 'query') return JSON.stringify({ query: req.query })
  return JSON.stringify(req.body === undefined ? { unset: true } : { body: plain(req.body) })
}

const failure = error => {
  const told = error.type && error.type !== 'entity.parse.failed'
  return JSON.stringify({
    status: error.status,
    type: error.type,
    expose: error.expose,
    message: told ? error.message : undefined,
    charset: error.charset,
    encoding: error.encoding,
    limit: error.limit,
    length: error.length,
    expected: error.expected,
    body: plain(error.body)
  })
}

const plain = value => Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value

createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', async line => {
  const answers = await Promise.all(JSON.parse(line).map(play))
  process.stdout.write(answers.join('\n') + '\n')
})
