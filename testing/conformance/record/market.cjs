// A marketplace with 56 routes, on Express 4. Its recording is replayed against its port (Market.java of this module's tests).
'use strict'
const express = require('express')
const session = require('express-session')
const cookieParser = require('cookie-parser')
const csurf = require('csurf')
const methodOverride = require('method-override')
const multer = require('multer')
const path = require('path')
const { randomBytes, randomUUID } = require('crypto')
const recorder = require('./recorder.cjs')

const app = express()
app.use(recorder(process.argv[2], { secrets: ['password', 'token', 'csrf'] }))
app.disable('x-powered-by')

const users = new Map([
  ['ann', { name: 'ann', password: 'open sesame', full: 'Ann Lee', seller: true }],
  ['bob', { name: 'bob', password: 'tea&cake', full: "Bob O'Hara", seller: false }]
])
const items = new Map()
const orders = new Map()
const tokens = new Map()
let last = 0
function add (item) {
  const made = { id: ++last, tags: [], ...item, created: new Date().toISOString() }
  items.set(made.id, made)
  return made
}
add({ title: 'Teapot', price: 2450, tags: ['kitchen', 'tea'], seller: 'ann' })
add({ title: 'Lamp & shade', price: 8900, tags: ['light'], seller: 'ann' })
add({ title: 'Bicycle', price: 31000, tags: ['outdoor'], seller: 'ann' })
add({ title: 'Tea towel', price: 650, tags: ['kitchen'], seller: 'ann' })

const money = cents => (cents / 100).toFixed(2)
const plain = ({ id, title, price, tags, created }) => ({ id, title, price, tags, created })
const esc = text => String(text).replace(/[&<>"']/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c])
const fail = (status, message) => Object.assign(new Error(message), { status })
const hidden = res => `<input type="hidden" name="_csrf" value="${res.locals.csrf}">`

function page (req, res, title, main) {
  const { user, cart = {}, flash = [] } = req.session
  delete req.session.flash
  const account = user
    ? `<form action="/logout" method="post">${hidden(res)}<button>Log out ${esc(users.get(user).full)}</button></form>`
    : '<a href="/login">Log in</a>'
  res.type('html').send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="csrf-token" content="${res.locals.csrf}"><title>${esc(title)} - Market</title></head>
<body class="${req.cookies.theme === 'dark' ? 'dark' : 'light'}">
<nav><a href="/">Market</a> <a href="/cart">Cart (${Object.keys(cart).length})</a> ${account}</nav>
${flash.map(message => `<p class="flash">${esc(message)}</p>\n`).join('')}<h1>${esc(title)}</h1>
${main}
</body>
</html>
`)
}
const flash = (req, message) => { req.session.flash = [...(req.session.flash || []), message] }
const list = found => `<ul>\n${found.map(item => `<li><a href="/items/${item.id}">${esc(item.title)}</a> ${money(item.price)}</li>\n`).join('')}</ul>`
function itemForm (res, action, { title = '', price = '' }, errors = []) {
  const told = errors.map(error => `<li>${esc(error.message)}</li>`).join('')
  return `${told && `<ul class="errors">${told}</ul>\n`}<form action="${action}" method="post">${hidden(res)}
<input name="title" value="${esc(title)}"> <input name="price" value="${esc(price)}"> <input name="tags">
<button>Save</button></form>`
}
function problems ({ title, price }) {
  const found = []
  if (typeof title !== 'string' || !title.trim()) found.push({ field: 'title', message: 'title is missing' })
  else if (title.length > 40) found.push({ field: 'title', message: 'title is too long' })
  if (!Number.isInteger(price) || price < 1) found.push({ field: 'price', message: 'price must be a positive number of cents' })
  return found
}
function find (req, res, next, id) {
  req.item = items.get(Number(id))
  next(req.item ? undefined : fail(404, `No item ${id}`))
}
function member (req, res, next) {
  if (req.session.user) return next()
  req.session.returnTo = req.originalUrl
  res.redirect('/login')
}
const seller = [member, (req, res, next) => next(users.get(req.session.user).seller ? undefined : fail(403, 'Only for sellers'))]

// Without sessions
app.use('/static', express.static(path.join(__dirname, 'public'), { maxAge: '1h' }))
app.get('/robots.txt', (req, res) => res.type('text').send('User-agent: *\nDisallow: /cart\n'))
app.get('/health', (req, res) => res.sendStatus(200))
app.get('/old/:item(\\d+)', (req, res) => res.redirect(301, `/items/${req.params.item}`))
app.get(/^\/i(\d+)$/, (req, res) => res.redirect(302, `/items/${req.params[0]}`))
app.get('/docs/*', (req, res) => res.type('text').send(`No page ${req.params[0]} yet.\n`))
app.get('/language', (req, res) => {
  const language = req.acceptsLanguages('en', 'de', 'fr') || 'en'
  res.vary('Accept-Language').set('Content-Language', language).type('text').send({ en: 'Welcome', de: 'Willkommen', fr: 'Bienvenue' }[language])
})

// The API
const api = express.Router()
api.use(express.json({ limit: '5kb' }))
api.param('item', find)
const clients = (req, res, next) => {
  const [, token] = /^Bearer (\w+)$/.exec(req.get('Authorization') || '') || []
  req.user = users.get(tokens.get(token))
  if (!req.user) return res.set('WWW-Authenticate', 'Bearer realm="api"').status(401).json({ error: 'token missing or unknown' })
  next()
}
const checked = (req, res, next) => {
  const errors = problems(req.method === 'PATCH' ? { ...req.item, ...req.body } : req.body)
  return errors.length ? res.status(422).json({ errors }) : next()
}
const change = (item, { title, price, tags }) => Object.assign(item, { title, price, tags })
api.post('/tokens', (req, res) => {
  const { user, password } = req.body
  if (!user || !password) return res.status(400).json({ error: 'user and password are required' })
  if (users.get(user)?.password !== password) return res.status(403).json({ error: 'wrong password' })
  const token = randomBytes(24).toString('hex')
  tokens.set(token, user)
  res.status(201).set('Cache-Control', 'no-store').json({ token, expires: new Date(Date.now() + 3600000).toISOString() })
})
api.delete('/tokens', clients, (req, res) => { tokens.delete(req.get('Authorization').slice(7)); res.status(204).end() })
api.get('/me', clients, (req, res) => res.json({ name: req.user.name, full: req.user.full, seller: req.user.seller }))
api.get('/items', (req, res) => {
  const per = Math.min(Number(req.query.per) || 2, 10)
  const all = [...items.values()]
  const pages = Math.ceil(all.length / per)
  const page = Math.max(Number(req.query.page) || 1, 1)
  const link = n => `/api/items?page=${n}&per=${per}`
  if (page < pages) res.links({ next: link(page + 1), last: link(pages) })
  if (page > 1) res.links({ prev: link(page - 1) })
  res.set('X-Total-Count', String(all.length)).json({ page, pages, items: all.slice((page - 1) * per, page * per).map(plain) })
})
api.options('/items', (req, res) => res.set({ Allow: 'GET, POST', 'Access-Control-Allow-Methods': 'GET, POST', 'Access-Control-Allow-Origin': '*' }).status(204).end())
api.post('/items', clients, checked, (req, res) => {
  const { title, price, tags = [] } = req.body
  const item = add({ title, price, tags, seller: req.user.name })
  res.status(201).location(`/api/items/${item.id}`).json(plain(item))
})
api.get('/items/:item', (req, res) => res.json(plain(req.item)))
api.put('/items/:item', clients, checked, (req, res) => res.json(plain(change(req.item, { tags: [], ...req.body }))))
api.patch('/items/:item', clients, checked, (req, res) => res.json(plain(change(req.item, { ...req.item, ...req.body }))))
api.delete('/items/:item', clients, (req, res, next) => {
  if (req.item.seller !== req.user.name) return next(fail(403, 'not your item'))
  items.delete(req.item.id)
  res.status(204).end()
})
api.get('/search', (req, res) => {
  const { price: { gte = 0, lte = Infinity } = {}, tags = [] } = req.query.filter || {}
  const found = [...items.values()].filter(item => item.price >= gte && item.price <= lte && tags.every(tag => item.tags.includes(tag)))
  res.json({ filter: req.query.filter || {}, found: found.map(item => item.title) })
})
api.get('/stats', (req, res) => res.jsonp({ items: items.size, cheapest: Math.min(...[...items.values()].map(item => item.price)) }))
api.post('/words', express.text(), (req, res) => {
  if (typeof req.body !== 'string') return res.status(415).json({ error: 'send text' })
  res.json({ words: req.body.split(/\s+/).filter(Boolean).length, characters: req.body.length })
})
api.post('/blobs', express.raw({ type: 'application/octet-stream' }), (req, res) =>
  res.type('application/octet-stream').send(Buffer.from(req.body).reverse()))
api.get('/broken', () => { throw new Error('no luck') })
api.all('/ping', (req, res) => res.type('text').send(`${req.method} pong`))
api.use((req, res, next) => req.method === 'OPTIONS' ? next() : next(fail(404, 'not found')))
api.use((err, req, res, next) => res.status(err.status || 500).json({ error: err.type || (err.status ? err.message : 'internal') }))
app.use('/api', api)

// The back office
const admin = express.Router()
admin.use((req, res, next) => {
  const given = Buffer.from((req.get('Authorization') || '').replace('Basic ', ''), 'base64').toString()
  if (given === 'root:back door') return next()
  res.set('WWW-Authenticate', 'Basic realm="Back office"').status(401).end('Unauthorized')
})
admin.get('/', (req, res) => res.send(`<h1>Back office</h1><p>${items.size} items, ${orders.size} orders on ${new Date().toISOString().slice(0, 10)}</p>`))
admin.get('/orders', (req, res) => res.json([...orders.values()].map(({ id, user, total, state }) => ({ id, user, total, state }))))
admin.get('/export.csv', (req, res) => {
  res.attachment('market export.csv')
  for (const item of items.values()) res.write(`${item.id};"${item.title}";${money(item.price)}\n`)
  res.end()
})
app.use('/admin', admin)

// Pages
app.use(cookieParser('of the cookies alone'))
app.use(session({ secret: 'of the sessions alone', resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }))
app.use(express.urlencoded({ extended: true, limit: '5kb' }))
app.use(express.json())
app.use(methodOverride('X-HTTP-Method-Override'))
app.use(methodOverride(req => {
  const method = req.body && req.body._method
  if (method) delete req.body._method
  return method
}))
const csrf = [csurf(), (req, res, next) => { res.locals.csrf = req.csrfToken(); next() }]
const upload = multer({ limits: { fileSize: 2000 } })
app.post('/items/:item/picture', seller, upload.single('picture'), csrf, (req, res, next) => {
  const item = items.get(Number(req.params.item))
  if (!item || !req.file) return next(fail(400, 'No picture'))
  item.picture = { type: req.file.mimetype, bytes: req.file.buffer }
  flash(req, `Stored ${req.file.originalname} with ${req.file.size} bytes.`)
  res.redirect(303, `/items/${item.id}`)
})
app.post('/items/:item/notes', seller, upload.array('notes', 3), csrf, (req, res) => {
  const files = req.files.map(({ originalname, mimetype, size, buffer }) =>
    ({ name: originalname, type: mimetype, size, first: buffer.toString().split('\n')[0] }))
  res.status(201).json({ item: req.params.item, subject: req.body.subject, files })
})
app.use(csrf)
app.param('item', find)

app.get('/', (req, res) => page(req, res, 'Home', list([...items.values()].slice(0, 3))))
app.get('/about', (req, res) => { res.set('Cache-Control', 'private, max-age=60'); page(req, res, 'About', '<p>We sell what we like.</p>') })
app.get('/theme/:theme(light|dark)', (req, res) => res.cookie('theme', req.params.theme, { maxAge: 86400000 }).redirect('back'))
app.get('/theme', (req, res) => res.clearCookie('theme').redirect('/'))
app.get('/visits', (req, res) => {
  const visits = Number(req.signedCookies.visits || 0) + 1
  res.cookie('visits', visits, { signed: true, httpOnly: true, path: '/visits' }).type('text').send(`Visit ${visits}`)
})
app.get('/login', (req, res) => page(req, res, 'Log in', `<form action="/login" method="post">${hidden(res)}
<input name="user"> <input type="password" name="password"> <button>Log in</button></form>`))
app.post('/login', (req, res, next) => {
  const user = users.get(req.body.user)
  if (!user || user.password !== req.body.password) {
    flash(req, 'Wrong name or password.')
    return res.redirect('/login')
  }
  const { cart, returnTo = '/' } = req.session
  req.session.regenerate(err => {
    if (err) return next(err)
    Object.assign(req.session, { user: user.name, cart })
    flash(req, `Welcome, ${user.full}!`)
    res.redirect(303, returnTo)
  })
})
app.post('/logout', (req, res, next) => req.session.destroy(err => err ? next(err) : res.redirect('/')))
app.get('/items', (req, res) => {
  const { q = '', sort } = req.query
  const found = [...items.values()].filter(item => item.title.toLowerCase().includes(q.toLowerCase()))
  if (sort === 'price') found.sort((a, b) => a.price - b.price)
  page(req, res, q ? `Items with "${q}"` : 'Items', found.length ? list(found) : '<p>Nothing found.</p>')
})
app.get('/items/new', seller, (req, res) => page(req, res, 'New item', itemForm(res, '/items', {})))
app.post('/items', seller, (req, res) => {
  const { title, price, tags = '' } = req.body
  const errors = problems({ title, price: Number(price) })
  if (errors.length) return page(req, res.status(422), 'New item', itemForm(res, '/items', req.body, errors))
  const item = add({ title, price: Number(price), tags: tags.split(' ').filter(Boolean), seller: req.session.user })
  flash(req, `${title} is on sale.`)
  res.redirect(303, `/items/${item.id}`)
})
app.get('/items/:item', (req, res) => page(req, res, req.item.title, `<p>${money(req.item.price)}, on sale since ${req.item.created.slice(0, 10)}</p>
${req.item.picture ? `<img src="/items/${req.item.id}/picture">\n` : ''}<form action="/cart" method="post">${hidden(res)}<input name="item" value="${req.item.id}"><button>Buy</button></form>`))
app.get('/items/:item/edit', seller, (req, res) => page(req, res, `Edit ${req.item.title}`, itemForm(res, `/items/${req.item.id}`, req.item)))
app.put('/items/:item', seller, (req, res) => {
  Object.assign(req.item, { title: req.body.title, price: Number(req.body.price) })
  flash(req, 'Saved.')
  res.redirect(303, `/items/${req.item.id}`)
})
app.delete('/items/:item', seller, (req, res) => { items.delete(req.item.id); flash(req, `${req.item.title} is gone.`); res.redirect(303, '/items') })
app.get('/items/:item/picture', (req, res, next) => {
  if (!req.item.picture) return next(fail(404, 'No picture'))
  res.type(req.item.picture.type).set('Cache-Control', 'public, max-age=3600').send(req.item.picture.bytes)
})
app.get('/items/:item/card', (req, res) => res.format({
  text: () => res.send(`${req.item.title}, ${money(req.item.price)}`),
  html: () => res.send(`<b>${esc(req.item.title)}</b> ${money(req.item.price)}`),
  json: () => res.json(plain(req.item))
}))
app.get('/manual', (req, res) => res.download(path.join(__dirname, 'public', 'manual.txt'), 'Manual.txt'))

const cart = express.Router()
cart.param('item', find)
const lines = req => Object.entries(req.session.cart || {}).map(([id, count]) => ({ item: items.get(Number(id)), count })).filter(line => line.item)
const total = of => of.reduce((sum, { item, count }) => sum + item.price * count, 0)
const put = (req, item, count) => { req.session.cart = { ...req.session.cart, [item.id]: count } }
cart.get('/', (req, res) => {
  const all = lines(req)
  if (req.accepts('html', 'json') === 'json') return res.json({ lines: all.map(({ item, count }) => ({ item: item.id, count })), total: total(all) })
  page(req, res, 'Cart', `<table>\n${all.map(({ item, count }) => `<tr><td>${esc(item.title)}</td><td>${count}</td></tr>\n`).join('')}</table>
<p>Total ${money(total(all))}</p>\n<form action="/cart/checkout" method="post">${hidden(res)}<button>Order</button></form>`)
})
cart.post('/', (req, res, next) => {
  const item = items.get(Number(req.body.item))
  if (!item) return next(fail(400, 'Unknown item'))
  put(req, item, (req.session.cart?.[item.id] || 0) + 1)
  flash(req, `${item.title} is in your cart.`)
  res.redirect('back')
})
cart.patch('/:item', (req, res) => {
  if (!Number.isInteger(req.body.count) || req.body.count < 1) return res.status(400).json({ error: 'count must be positive' })
  put(req, req.item, req.body.count)
  res.json({ item: req.item.id, count: req.body.count, total: total(lines(req)) })
})
cart.delete('/:item', (req, res) => { delete req.session.cart?.[req.item.id]; res.status(204).end() })
cart.post('/checkout', member, (req, res, next) => {
  const all = lines(req)
  if (!all.length) return next(fail(409, 'Your cart is empty'))
  const order = {
    id: randomUUID(),
    user: req.session.user,
    placed: new Date(),
    lines: all.map(({ item, count }) => ({ title: item.title, count })),
    total: total(all),
    state: 'open'
  }
  orders.set(order.id, order)
  delete req.session.cart
  flash(req, `Thank you for order ${order.id}.`)
  res.redirect(303, `/orders/${order.id}`)
})
app.use('/cart', cart)

const order = express.Router()
order.use(member)
order.param('order', (req, res, next, id) => {
  req.order = orders.get(id)
  if (!req.order) return next(fail(404, 'No such order'))
  next(req.order.user === req.session.user ? undefined : fail(403, 'Not your order'))
})
order.get('/', (req, res) => res.json([...orders.values()].filter(one => one.user === req.session.user)))
order.get('/:order', (req, res) => page(req, res, `Order ${req.order.id}`, `<p>Placed on ${req.order.placed.toUTCString()}, ${req.order.state}</p>
<ol>${req.order.lines.map(line => `<li>${line.count} x ${esc(line.title)}</li>`).join('')}</ol>
<form action="/orders/${req.order.id}/cancel" method="post">${hidden(res)}<button>Cancel</button></form>`))
order.get('/:order/invoice', (req, res) => res.attachment(`invoice-${req.order.id}.txt`)
  .send(`Invoice ${req.order.id}\nDate: ${req.order.placed.toISOString()}\nTotal: ${money(req.order.total)}\n`))
order.post('/:order/cancel', (req, res, next) => {
  if (req.order.state !== 'open') return next(fail(409, 'The order is closed'))
  req.order.state = 'cancelled'
  flash(req, 'The order is cancelled.')
  res.redirect('back')
})
app.use('/orders', order)

app.get('/teapot', (req, res, next) => next(fail(418, 'Short and stout')))
app.get('/broken', () => { throw new Error('no luck') })
app.use((req, res, next) => next(fail(404, `No page ${req.path}`)))
app.use((err, req, res, next) => {
  const status = err.code === 'LIMIT_FILE_SIZE' ? 413 : err.status || 500
  const message = status === 413 ? 'Too large' : err.type || !err.status ? 'Something went wrong' : err.message
  res.status(status)
  if (req.accepts('html', 'json') === 'json') return res.json({ error: message })
  res.type('html').send(`<!doctype html>\n<title>${status}</title>\n<h1>${esc(message)}</h1>\n<a href="/">Home</a>\n`)
})

const server = app.listen(Number(process.argv[3]), '127.0.0.1', () => console.log(`listening at ${server.address().port}`))
