// Sends the requests that are recorded to the marketplace: node market-traffic.mjs http://localhost:PORT
import http from 'node:http'

const base = new URL(process.argv[2])
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Sends requests with the cookies of its own earlier responses, and remembers the CSRF token of the last page. */
class Visitor {
  constructor (headers = {}) {
    this.headers = headers
    this.cookies = new Map()
    this.csrf = ''
  }

  ask (method, path, headers = {}, body = undefined) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { Host: 'localhost', ...this.headers, ...(cookie && { Cookie: cookie }), ...headers }
    return new Promise((resolve, reject) => {
      const req = http.request({ host: '127.0.0.1', port: base.port, method, path, headers: sent, agent: false }, res => {
        for (const line of res.headers['set-cookie'] || []) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)
          value ? this.cookies.set(name, value) : this.cookies.delete(name)
        }
        const chunks = []
        res.on('data', more => chunks.push(more)).on('end', () => {
          const text = Buffer.concat(chunks).toString()
          this.csrf = /name="csrf-token" content="([^"]+)"/.exec(text)?.[1] || this.csrf
          resolve({ status: res.statusCode, headers: res.headers, text })
        })
      })
      req.on('error', reject).end(body)
    })
  }

  get (path, headers) { return this.ask('GET', path, headers) }

  form (path, fields, headers = {}) {
    const body = new URLSearchParams({ _csrf: this.csrf, ...fields }).toString()
    return this.ask('POST', path, { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }, body)
  }

  json (method, path, value, headers = {}) { return this.ask(method, path, { ...JSON_TYPE, ...headers }, JSON.stringify(value)) }

  upload (path, fields, files) {
    const boundary = 'market-7d1'
    const parts = Object.entries({ _csrf: this.csrf, ...fields }).map(([name, value]) =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`))
    for (const [field, name, type, bytes] of files) {
      parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`), Buffer.from(bytes), Buffer.from('\r\n'))
    }
    return this.ask('POST', path, { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]))
  }
}

// A program that reads no pages
const tool = new Visitor()
for (const path of ['/robots.txt', '/health', '/old/3', '/old/x', '/i2', '/docs/a/b%20c.html', '/language', '/static/style.css', '/static/none.css']) await tool.get(path)
for (const language of ['de-AT, de;q=0.9', 'es, fr;q=0.5', 'fr;q=0.4, en;q=0.8', 'es']) await tool.get('/language', { 'Accept-Language': language })
const { headers: { etag: fileTag } } = await tool.get('/static/manual.txt')
await tool.get('/static/manual.txt', { 'If-None-Match': fileTag })
for (const range of ['bytes=0-9', 'bytes=-9', 'bytes=20-', 'bytes=0-3,8-9', 'bytes=900-']) await tool.get('/static/manual.txt', { Range: range })
await tool.get('/static/manual.txt', { Range: 'bytes=0-9', 'If-Range': fileTag })
await tool.get('/static/manual.txt', { Range: 'bytes=0-9', 'If-Range': '"another"' })
await tool.ask('HEAD', '/static/manual.txt')

// A client of the API
for (const query of ['', '?page=2', '?page=9', '?page=1&per=3', '?per=50']) await tool.get(`/api/items${query}`)
const { headers: { etag } } = await tool.get('/api/items/1')
await tool.get('/api/items/1', { 'If-None-Match': etag })
await tool.get('/api/items/1', { 'If-None-Match': '"another"' })
await tool.ask('HEAD', '/api/items/1')
await tool.ask('OPTIONS', '/api/items')
await tool.ask('OPTIONS', '/api/items/1')
for (const path of ['/api/items/99', '/api/items/x', '/api/nowhere', '/api/broken', '/api/ping', '/api/me']) await tool.get(path)
await tool.ask('PUT', '/api/ping')
await tool.get('/api/search?filter[price][gte]=1000&filter[price][lte]=20000')
await tool.get('/api/search?filter[tags][]=kitchen&filter[tags][]=tea')
await tool.get('/api/search')
await tool.get('/api/stats')
await tool.get('/api/stats?callback=show.stats')
await tool.ask('POST', '/api/words', { 'Content-Type': 'text/plain' }, 'Grüße aus\nder  Küche ')
await tool.ask('POST', '/api/words', { 'Content-Type': 'text/csv' }, 'a,b')
await tool.ask('POST', '/api/blobs', { 'Content-Type': 'application/octet-stream' }, Buffer.from([0, 1, 2, 250, 251, 255]))
await tool.json('POST', '/api/tokens', { user: 'ann' })
await tool.json('POST', '/api/tokens', { user: 'ann', password: 'a guess' })
const client = new Visitor()
client.headers.Authorization = `Bearer ${JSON.parse((await tool.json('POST', '/api/tokens', { user: 'ann', password: 'open sesame' })).text).token}`
const other = new Visitor()
other.headers.Authorization = `Bearer ${JSON.parse((await tool.json('POST', '/api/tokens', { user: 'bob', password: 'tea&cake' })).text).token}`
await client.get('/api/me')
await other.get('/api/me')
await tool.json('POST', '/api/items', { title: 'Chair', price: 4000 })
await client.json('POST', '/api/items', { title: 'Chair', price: 4000, tags: ['wood'] })
await client.json('POST', '/api/items', { title: 'Ü'.repeat(41), price: 0 })
await client.json('POST', '/api/items', {})
await client.ask('POST', '/api/items', JSON_TYPE, '{"title": "Cha')
await client.json('POST', '/api/items', { title: 'x'.repeat(6000), price: 1 })
await client.json('PUT', '/api/items/5', { title: 'Armchair', price: 9000 })
await client.json('PUT', '/api/items/5', { title: ' ', price: '9000' })
await client.json('PATCH', '/api/items/5', { price: 8000 })
await client.json('PATCH', '/api/items/5', { price: 1.5 })
await other.ask('DELETE', '/api/items/5')
await client.ask('DELETE', '/api/items/5')
await client.get('/api/items/5')
await client.ask('DELETE', '/api/tokens')
await client.get('/api/me')

// Ann sells
const ann = new Visitor({ Accept: BROWSER })
await ann.get('/')
await ann.get('/about')
await ann.get('/items/new')
await ann.get('/login')
await ann.form('/login', { user: 'ann', password: 'wrong word' })
await ann.get('/login')
await ann.form('/login', { user: 'ann', password: 'open sesame' })
await ann.get('/items/new')
await ann.form('/items', { title: '', price: 'many' })
await ann.form('/items', { title: '<Old> radio', price: '12000', tags: 'music  old' })
await ann.get('/items/6')
await ann.get('/items/6/edit')
await ann.form('/items/6', { _method: 'PUT', title: 'Old radio', price: '11000' })
await ann.get('/items/6')
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
await ann.get('/items/6/picture')
await ann.upload('/items/6/picture', {}, [['picture', 'radio.png', 'image/png', PNG]])
await ann.get('/items/6')
const { headers: { etag: pictureTag } } = await ann.get('/items/6/picture', { Accept: 'image/*' })
await ann.get('/items/6/picture', { Accept: 'image/*', 'If-None-Match': pictureTag })
await ann.upload('/items/6/picture', {}, [])
await ann.upload('/items/6/picture', {}, [['picture', 'large.png', 'image/png', Buffer.alloc(3000)]])
await ann.upload('/items/6/picture', { _csrf: 'forged' }, [['picture', 'radio.png', 'image/png', PNG]])
await ann.upload('/items/6/notes', { subject: 'Repairs & more' }, [['notes', 'a.txt', 'text/plain', 'First line\nsecond line\n'], ['notes', 'b.md', 'text/markdown', '# Note']])
await ann.form('/items/3', { _method: 'DELETE' }, { 'X-HTTP-Method-Override': 'DELETE' })
await ann.get('/items')
await ann.form('/items', { title: 'Forged', price: '1', _csrf: 'forged' })

// Bob buys
const bob = new Visitor({ Accept: BROWSER })
await bob.get('/items?q=tea')
await bob.get('/items?q=tea&sort=price')
await bob.get('/items?q=%3Cnone%3E')
await bob.get('/items/1')
await bob.form('/cart', { item: '1' }, { Referer: 'http://localhost/items/1' })
await bob.get('/items/1')
await bob.form('/cart', { item: '1' }, { Referer: 'http://localhost/items/1' })
await bob.form('/cart', { item: '77' })
await bob.form('/cart', { item: '2' })
await bob.get('/cart')
await bob.get('/cart', { Accept: 'application/json' })
await bob.json('PATCH', '/cart/2', { count: 3 }, { 'CSRF-Token': bob.csrf })
await bob.json('PATCH', '/cart/2', { count: 0 }, { 'CSRF-Token': bob.csrf, Accept: 'application/json' })
await bob.json('PATCH', '/cart/2', { count: 4 }, { Accept: 'application/json' })
await bob.ask('DELETE', '/cart/1', { 'CSRF-Token': bob.csrf })
await bob.get('/theme/dark', { Referer: 'http://localhost/cart' })
await bob.get('/cart')
await bob.get('/theme/blue')
await bob.form('/cart/checkout', {})
await bob.get('/login')
await bob.form('/login', { user: 'bob', password: 'tea&cake' })
await bob.get('/cart')
const { headers: { location } } = await bob.form('/cart/checkout', {})
await bob.get(location)
await bob.form('/cart/checkout', {})
await bob.get(`${location}/invoice`)
await bob.get('/orders', { Accept: 'application/json' })
await ann.get(location)
await ann.get('/orders')
await ann.get('/orders/none')
await bob.form(`${location}/cancel`, {}, { Referer: `http://localhost${location}` })
await bob.get(location)
await bob.form(`${location}/cancel`, {})
await bob.get('/items/new')
await bob.get('/theme')

// The rest of the pages
for (const type of ['text/plain', 'text/html', 'application/json', 'image/png', '*/*']) await bob.get('/items/2/card', { Accept: type })
await bob.get('/visits')
await bob.get('/visits')
await bob.get('/manual')
await bob.ask('HEAD', '/about')
await bob.ask('OPTIONS', '/about')
for (const path of ['/teapot', '/broken', '/no/such?page=1', '/items/3', '/ABOUT/']) await bob.get(path)
await bob.get('/items/77', { Accept: 'application/json' })
await bob.ask('POST', '/cart', JSON_TYPE, '{"item"')
await bob.form('/items', { title: 'x'.repeat(6000) })
await bob.form('/logout', {})
await bob.get('/')
await tool.get('/cart/', { Accept: 'application/json' })

// The back office
await tool.get('/admin')
const root = new Visitor({ Authorization: `Basic ${Buffer.from('root:back door').toString('base64')}` })
await new Visitor({ Authorization: `Basic ${Buffer.from('root:guess').toString('base64')}` }).get('/admin/orders')
for (const path of ['/admin', '/admin/orders', '/admin/export.csv', '/admin/none']) await root.get(path)
