// One of the peers that run on Node: node main.js express3|express5|fastify|ws
'use strict';

const fs = require('node:fs');

const name = process.argv[2];
const port = Number(process.env.PORT || 8080);
const file = process.env.PEER_FILE || __filename;
const counts = process.env.PEER_COUNT === 'true';
const noOps = Number(process.env.PEER_NO_OPS || 0);
const limit = 100 * 1024;
const message = {message: 'Hello, World!'};
let entered = 0;

function ready() {
  console.log('ready');
}

function express(make) {
  const app = make();
  app.disable('etag');
  if (counts) {
    app.use((req, res, next) => {
      entered += req.url === '/count' ? 0 : 1;
      next();
    });
  }
  for (let i = 0; i < noOps; i++) {
    app.use((req, res, next) => next());
  }
  for (let i = 0; i < 50; i++) {
    app.get(`/other${i}/:id`, (req, res) => res.send('other'));
  }
  app.get('/plaintext', (req, res) => res.type('text/plain').send('Hello, World!'));
  app.get('/json', (req, res) => res.json(message));
  app.get('/users/:id/posts/:post', (req, res) => res.type('text/plain').send(`${req.params.id} ${req.params.post}`));
  app.post('/echo', make.json({limit}), (req, res) => res.json(req.body));
  app.get('/slow', (req, res) => setTimeout(() => res.send('slept'), Number(req.query.ms)));
  app.get('/count', (req, res) => res.send(String(entered)));
  app.get('/file', (req, res) => res.sendfile ? res.sendfile(file) : res.sendFile(file));
  app.listen(port, ready);
}

function fastify(make) {
  const app = make({bodyLimit: limit});
  if (counts) {
    app.addHook('onRequest', async (req) => {
      entered += req.url === '/count' ? 0 : 1;
    });
  }
  for (let i = 0; i < 50; i++) {
    app.get(`/other${i}/:id`, (req, reply) => reply.send('other'));
  }
  app.get('/plaintext', (req, reply) => reply.type('text/plain').send('Hello, World!'));
  app.get('/json', (req, reply) => reply.send(message));
  app.get('/users/:id/posts/:post', (req, reply) => reply.type('text/plain').send(`${req.params.id} ${req.params.post}`));
  app.post('/echo', (req, reply) => reply.send(req.body));
  app.get('/slow', (req, reply) => {
    setTimeout(() => reply.send('slept'), Number(req.query.ms));
  });
  app.get('/file', (req, reply) => reply.send(fs.createReadStream(file)));
  app.get('/count', (req, reply) => reply.send(String(entered)));
  app.listen({port, host: '0.0.0.0'}).then(ready);
}

function ws(make) {
  const server = require('node:http').createServer((req, res) => res.end('Hello, World!'));
  const sockets = new make.WebSocketServer({server, path: '/sockets'});
  sockets.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => socket.send(data, {binary: isBinary}));
  });
  server.listen(port, ready);
}

const library = require(name);
if (name === 'fastify') {
  fastify(library);
} else if (name === 'ws') {
  ws(library);
} else {
  express(library);
}
