// What is asked of the library while it is recorded: node traffic.mjs http://localhost:PORT
import http from 'node:http'

const base = new URL(process.argv[2])
const json = { 'Content-Type': 'application/json' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

function ask (method, path, headers = {}, body = undefined) {
  return new Promise((resolve, reject) => {
    const req = http.request({ host: '127.0.0.1', port: base.port, method, path, headers: { Host: 'localhost', ...headers }, agent: false }, res => {
      let text = ''
      res.setEncoding('utf8').on('data', more => { text += more }).on('end', () => resolve({ headers: res.headers, text }))
    })
    req.on('error', reject).end(body)
  })
}
const post = (path, value, headers = {}) => ask('POST', path, { ...json, ...headers }, JSON.stringify(value))

for (const path of ['/', '/robots.txt', '/health', '/books', '/books?by=Joyce', '/books?limit=1', '/books/1', '/books/9', '/books/x']) await ask('GET', path)
await ask('HEAD', '/books/1')
const { headers: { etag } } = await ask('GET', '/books/2')
await ask('GET', '/books/2', { 'If-None-Match': etag })
await post('/books', { title: 'Middlemarch', by: 'Eliot' })
await post('/books', { by: 'Eliot' })
await ask('POST', '/books', form, 'title=Walden+Pond&by=Thoreau')
await ask('POST', '/books', json, '{"title": ')
await ask('POST', '/books', json, JSON.stringify({ title: 'x'.repeat(11000) }))
await ask('PUT', '/books/1', json, '{"title": "Persuasion"}')
await ask('DELETE', '/books/4')
await ask('GET', '/books/4')
for (const type of ['text/plain', 'text/html', 'application/json', '*/*']) await ask('GET', '/books/1/title', { Accept: type })
await ask('GET', '/books/1/card')
await post('/login', { user: 'ann', password: 'guess' })
const { token } = JSON.parse((await post('/login', { user: 'ann', password: 'open sesame' })).text)
const ann = { Authorization: `Bearer ann:${token}` }
await ask('GET', '/me')
await ask('GET', '/me', ann)
await ask('POST', '/books/2/loan', ann)
await ask('POST', '/books/2/loan', ann)
await ask('GET', '/me', ann)
await ask('DELETE', '/books/2/loan', ann)
const cookie = (await ask('GET', '/visits')).headers['set-cookie'][0].split(';')[0]
await ask('GET', '/visits', { Cookie: cookie })
for (const path of ['/old', '/shelf/3-17', '/shelf/3-x', '/files/a/b.txt', '/files/a%20b', '/fail', '/nowhere', '/BOOKS/1', '/books/']) await ask('GET', path)
await ask('GET', '/echo?a=1&b[c]=2&b[d][]=3&b[d][]=4')
await ask('POST', '/echo', form, 'user[name]=Ann&user[tags][]=x&user[tags][]=y')
await ask('PATCH', '/echo', json, '[1, {"two": null}]')
await ask('OPTIONS', '/books/1')
