// A lending library with twenty routes, on Express 4: what is recorded, and then ported (Library.java of this module's tests).
'use strict'
const express = require('express')
const { createHmac } = require('crypto')
const recorder = require('./recorder.cjs')

const app = express()
app.use(recorder(process.argv[2], { secrets: ['password', 'token'] }))
app.disable('x-powered-by')
app.use(express.json({ limit: '10kb' }))
app.use(express.urlencoded({ extended: true }))

const books = new Map([[1, { id: 1, title: 'Emma', by: 'Austen' }], [2, { id: 2, title: 'Ulysses', by: 'Joyce' }]])
const loans = new Map()
const seen = new Map()
let last = 2

const sign = user => createHmac('sha256', 'of this program alone').update(user).digest('hex')
function readers (req, res, next) {
  const [, user, token] = /^Bearer (\w+):(\w+)$/.exec(req.get('Authorization') || '') || []
  if (!user || sign(user) !== token) return res.set('WWW-Authenticate', 'Bearer').status(401).json({ error: 'log in first' })
  req.user = user
  next()
}
app.param('book', (req, res, next, id) => {
  req.book = books.get(Number(id))
  return req.book ? next() : res.status(404).json({ error: `no book ${id}` })
})

app.get('/', (req, res) => res.type('html').send('<h1>Library</h1>'))
app.get('/robots.txt', (req, res) => res.type('text').send('User-agent: *\n'))
app.get('/health', (req, res) => res.sendStatus(204))
app.get('/books', (req, res) => {
  const found = [...books.values()].filter(book => !req.query.by || book.by === req.query.by)
  res.set('X-Total', String(found.length)).json(found.slice(0, Number(req.query.limit) || 10))
})
app.post('/books', (req, res) => {
  if (!req.body.title) return res.status(422).json({ error: 'title is missing' })
  const book = { id: ++last, title: req.body.title, by: req.body.by || 'unknown' }
  books.set(book.id, book)
  res.status(201).location(`/books/${book.id}`).json(book)
})
app.get('/books/:book', (req, res) => res.json(req.book))
app.put('/books/:book', (req, res) => res.json(Object.assign(req.book, { title: req.body.title })))
app.delete('/books/:book', (req, res) => { books.delete(req.book.id); res.status(204).end() })
app.get('/books/:book/title', (req, res) => res.format({
  text: () => res.send(req.book.title),
  html: () => res.send(`<b>${req.book.title}</b>`),
  json: () => res.json({ title: req.book.title })
}))
app.get('/books/:book/card', (req, res) => res.attachment(`book-${req.book.id}.txt`).send(`${req.book.title} by ${req.book.by}\n`))
app.post('/login', (req, res) => req.body.password === 'open sesame'
  ? res.json({ user: req.body.user, token: sign(req.body.user) })
  : res.status(403).json({ error: 'wrong password' }))
app.get('/me', readers, (req, res) => res.json({ user: req.user, loans: [...loans].filter(([, user]) => user === req.user).map(([id]) => id) }))
app.post('/books/:book/loan', readers, (req, res) => {
  if (loans.has(req.book.id)) return res.status(409).json({ error: 'lent already' })
  loans.set(req.book.id, req.user)
  res.status(201).json({ book: req.book.id, user: req.user })
})
app.delete('/books/:book/loan', readers, (req, res) => { loans.delete(req.book.id); res.redirect(303, '/me') })
app.get('/visits', (req, res) => {
  const name = /visitor=(\w+)/.exec(req.get('Cookie') || '')?.[1] || sign(String(seen.size)).slice(0, 12)
  seen.set(name, (seen.get(name) || 0) + 1)
  res.cookie('visitor', name, { httpOnly: true, path: '/visits' }).send(`visit ${seen.get(name)}`)
})
app.get('/old', (req, res) => res.redirect('/books'))
app.get(/^\/shelf\/(\d+)-(\d+)$/, (req, res) => res.json({ from: req.params[0], to: req.params[1] }))
app.get('/files/*', (req, res) => res.type('text').send(`file ${req.params[0]}`))
app.all('/echo', (req, res) => res.json({ method: req.method, query: req.query, body: req.body }))
app.get('/fail', () => { throw new Error('no luck') })

app.use((req, res) => res.status(404).json({ error: 'not found' }))
app.use((err, req, res, next) => res.status(err.status || 500).json({ error: err.status ? err.type : 'internal' }))

const server = app.listen(Number(process.argv[3]), '127.0.0.1', () => console.log(`listening at ${server.address().port}`))
