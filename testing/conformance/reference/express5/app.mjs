// The application of Express 5 that ../../beside-express5 compares with BesideExpress.java, which does the same.
// usage: node app.mjs FOLDER    prints "PORT n", then "LOG " and each line of the logger
import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'
import basicAuth from 'basic-auth'
import compression from 'compression'
import cookieParser from 'cookie-parser'
import express from 'express'
import methodOverride from 'method-override'
import morgan from 'morgan'
import multer from 'multer'
import session from 'express-session'

const folder = process.argv[2]
const file = name => path.join(folder, name)
const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
const OLD = 'Wed, 01 Jan 2020 00:00:00 GMT'
const app = express()

app.set('trust proxy', 'loopback, 10.0.0.0/8')
app.use(morgan('combined', { stream: { write: line => process.stdout.write('LOG ' + line) } }))

methods()
negotiation()
proxies()
authorization()
override()
headers()
conditions()
errors()
compressed()
heads()
lengths()
types()
bodies()
forms()
routes()
settings()
sessions()
logs()

const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`PORT ${server.address().port}\n`))

function methods () {
  app.use('/guarded', (req, res, next) => {
    if (req.method === 'POST' && !req.get('X-Admin')) return res.sendStatus(403)
    next()
  })
  app.get('/guarded/x', (req, res) => res.send('read'))
  app.post('/guarded/x', (req, res) => res.send('changed'))
  app.get('/method', (req, res) => res.send('get'))
  app.all('/any', (req, res) => res.send(req.method))
}

function negotiation () {
  app.get('/format', (req, res) => res.format({
    'text/html': () => res.send('html'),
    'application/json': () => res.send('json'),
    'text/plain': () => res.send('text')
  }))
  app.get('/accepts', (req, res) => res.send(String(req.accepts('json', 'html') || 'none')))
  app.get('/languages', (req, res) => res.send(
    ['en', 'en-GB', 'de'].filter(name => req.acceptsLanguages(name)).join(' ')))
  app.get('/charsets', (req, res) => res.send(
    ['utf-8', 'iso-8859-1'].filter(name => req.acceptsCharsets(name)).join(' ')))
  app.get('/encodings', (req, res) => res.send(
    ['gzip', 'br', 'identity'].filter(name => req.acceptsEncodings(name)).join(' ')))
  app.post('/is', (req, res) => res.send(
    ['json', 'html', 'text/*'].filter(name => req.is(name)).join(' ')))
}

function proxies () {
  const seen = (req, res) => res.send(
    `ip ${req.ip} protocol ${req.protocol} secure ${req.secure} host ${req.hostname}`)
  const direct = express().set('trust proxy', false)
  direct.get('/', seen)
  app.get('/proxied', seen)
  app.use('/direct', direct)
}

function authorization () {
  const guard = realm => (req, res, next) => {
    const user = basicAuth(req)
    if (user && user.name === 'joe' && user.pass === 'secret') return next()
    res.status(401).set('WWW-Authenticate', `Basic realm="${realm}"`).end('Unauthorized')
  }
  app.get('/auth', guard('Back room'), (req, res) => res.send('in'))
  app.get('/realm', guard('Café'), (req, res) => res.send('in'))
}

function override () {
  const field = methodOverride(req => req.body?._method)
  app.use('/override', express.urlencoded({ extended: false }), methodOverride(), field)
  app.all('/override', (req, res) => res.send(req.method))
}

function headers () {
  app.get('/redirect', (req, res) => res.redirect(req.query.to))
  app.get('/location', (req, res) => res.location(req.query.to).send('here'))
  app.get('/links', (req, res) => res.links({ next: req.query.to }).send('here'))
  app.get('/attachment', (req, res) => res.attachment(req.query.name).end('x'))
  app.get('/download', (req, res) => res.download(file('ten.txt'), req.query.name))
  app.get('/cookie', (req, res) => res.cookie('name', req.query.value).send('set'))
}

function conditions () {
  app.all('/tagged', (req, res) => res.set('ETag', '"v1"').set('Last-Modified', OLD).send('tagged'))
  app.get('/weak', (req, res) => res.set('ETag', 'W/"v1"').send('weak'))
  app.get('/dated', (req, res) => res.set('Last-Modified', OLD).send('dated'))
  app.get('/generated', (req, res) => res.send('generated'))
  app.get('/described', (req, res) => res.set('ETag', '"v1"').set('Cache-Control', 'max-age=60')
    .set('Content-Language', 'en').set('Vary', 'Accept').send('described'))
  app.all('/ranged', (req, res) => res.sendFile(file('ten.txt')))
  app.get('/created', (req, res) => res.status(201).sendFile(file('ten.txt')))
  app.use('/files', express.static(folder))
}

function errors () {
  const describe = res => res.set('Cache-Control', 'public, max-age=600').set('ETag', '"v1"')
    .set('Expires', 'Fri, 01 Jan 2100 00:00:00 GMT').set('Last-Modified', OLD)
    .set('Content-Language', 'fr').set('Content-Disposition', 'attachment; filename="report.pdf"')
  app.get('/failing/:status', (req, res, next) => {
    describe(res)
    next(Object.assign(new Error('failed'), { status: Number(req.params.status) }))
  })
  app.get('/unanswered', (req, res, next) => {
    describe(res)
    next()
  })
  app.get('/no-store', (req, res) => {
    res.set('Cache-Control', 'private, no-store')
    throw new Error('failed')
  })
  app.get('/encoded', (req, res, next) => {
    res.set('Content-Encoding', 'gzip')
    next()
  })
  app.get('/encoded-failing', (req, res) => {
    res.set('Content-Encoding', 'gzip').set('Content-Length', '7')
    throw new Error('failed')
  })
  app.use('/immutable', express.static(folder, { maxAge: '1y', immutable: true }))
}

function compressed () {
  app.use('/zip', compression())
  app.get('/zip/text', (req, res) => res.type('text/plain').send(LONG))
  app.get('/zip/tagged', (req, res) => res.type('text/plain').set('ETag', '"v1"').send(LONG))
  app.get('/zip/fixed', (req, res) => res.type('text/plain').set('Cache-Control', 'no-transform').send(LONG))
  app.get('/zip/pieces', (req, res) => {
    res.type('text/plain').write('one,')
    res.end('two')
  })
  app.use('/zip/files', express.static(folder))
}

function heads () {
  app.get('/head/send', (req, res) => res.send('hello'))
  app.get('/head/end', (req, res) => res.end('hello'))
  app.get('/head/pieces', (req, res) => {
    res.write('one,')
    res.end('two')
  })
  app.get('/head/failing', (req, res) => {
    res.write('one,')
    throw new Error('failed')
  })
}

function lengths () {
  const sized = length => (req, res) => res.set('Content-Length', length).send('hello')
  app.get('/length/send/3', sized('3'))
  app.get('/length/send/9', sized('9'))
  app.get('/length/end/:length', (req, res) => res.set('Content-Length', req.params.length).end('hello'))
  app.get('/length/write/:length', (req, res) => {
    res.set('Content-Length', req.params.length).write('hello')
    res.end()
  })
  app.get('/length/status/:status', (req, res) => res.status(Number(req.params.status)).send('hello'))
}

function types () {
  app.get('/type', (req, res) => res.type(req.query.name).end('x'))
}

function bodies () {
  const name = (req, res) => res.send(req.body.name ?? null)
  const echo = (req, res) => res.json({ body: req.body })
  app.post('/bare/name', name)
  app.post('/form/name', express.urlencoded({ extended: false }), name)
  app.post('/json/name', express.json(), name)
  app.post('/echo/json', express.json(), echo)
  app.post('/echo/loose', express.json({ strict: false }), echo)
  app.post('/echo/form', express.urlencoded({ extended: false }), echo)
  app.post('/echo/text', express.text(), echo)
}

function forms () {
  app.post('/upload', multer().any(), (req, res) => res.json({
    fields: { ...req.body },
    files: req.files.map(({ fieldname, originalname, size }) => ({ field: fieldname, name: originalname, size }))
  }))
}

function routes () {
  const name = text => (req, res) => res.send(text)
  const id = (req, res) => res.send(req.params.id)
  app.get('/café', name('café'))
  app.get('/é/:id', id)
  app.get('/日本/*rest', name('Japan'))
  app.get('/a b', name('blank'))
  app.get('/$metadata', name('metadata'))
  app.get('/users/:id', id)
  app.use('/mé', name('mounted'))
  app.use('/pub/secret', (req, res) => res.sendStatus(403))
  app.use('/pub', express.static(folder))
}

function settings () {
  const outer = express()
  outer.set('etag', false).set('json spaces', 1).set('jsonp callback name', 'cb').set('subdomain offset', 1)
  outer.enable('strict routing').enable('case sensitive routing')
  const define = inner => {
    inner.get('/send', (req, res) => res.send('sent'))
    inner.get('/json', (req, res) => res.json({ a: 1 }))
    inner.get('/jsonp', (req, res) => res.jsonp({ a: 1 }))
    inner.get('/subdomains', (req, res) => res.send(req.subdomains.join(' ')))
    inner.get('/ip', (req, res) => res.send(req.ip))
    return inner
  }
  define(outer)
  // Mounted before it has routes, as the documentation advises: routers read settings when they are made.
  const inner = express()
  outer.use('/inner', inner)
  define(inner)
  const own = express().set('etag', 'strong')
  outer.use('/own', own)
  define(own)
  app.use('/settings', outer)
}

function sessions () {
  app.use('/session', session({ secret: 'a secret of thirty-two characters', name: 'sid', resave: false, saveUninitialized: false }))
  app.get('/session/begin', (req, res) => {
    req.session.cart = 'full'
    res.send('begun')
  })
  app.get('/session/me', (req, res) => res.send(`${req.session.user ?? 'nobody'}, cart ${req.session.cart ?? 'empty'}`))
  app.get('/session/slow', async (req, res) => {
    await sleep(400)
    req.session.seen = true
    res.send('seen')
  })
  app.get('/session/seen', (req, res) => {
    req.session.seen = true
    res.send('seen')
  })
  app.post('/session/login', (req, res, next) => req.session.regenerate(error => {
    if (error) return next(error)
    req.session.user = 'ann'
    res.send('in')
  }))
  app.post('/session/logout', (req, res, next) => req.session.destroy(error => error ? next(error) : res.send('out')))
  app.get('/cookies', cookieParser(), (req, res) => res.json(req.cookies))
}

function logs () {
  app.all('/log/send', (req, res) => res.send('sent'))
  app.get('/log/end', (req, res) => res.end('four'))
  app.get('/log/slow', async (req, res) => {
    await sleep(400)
    res.status(400).send('late')
  })
  app.get('/log/empty', (req, res) => res.status(204).end())
  app.get('/log/failing', () => { throw new Error('failed') })
}
