var express = require('express');
var app = express();
var notes = [{ id: 1, title: 'Tea', text: 'Three minutes', tags: ['drink'] }];
var last = 1;

app.set('title', 'Notes');
app.use(express.bodyParser());
app.use(express.methodOverride());
app.use(app.router);
app.use(express.static(__dirname + '/../public'));
app.use(function (err, req, res, next) {
  res.send(err.status || 500, { error: err.message });
});

app.param('note', function (req, res, next, id) {
  req.note = notes.filter(function (note) { return note.id == id; })[0];
  if (req.note) return next();
  res.send(404, { error: 'There is no note ' + id });
});

app.get('/', function (req, res) {
  res.redirect('/notes');
});

app.get('/notes', function (req, res) {
  var page = parseInt(req.query.page || 1, 10);
  var found = notes.filter(function (note) {
    return !req.query.tag || note.tags.indexOf(req.query.tag) >= 0;
  }).slice(page * 10 - 10, page * 10);
  res.format({
    json: function () { res.json(found); },
    text: function () {
      res.send(app.get('title') + ': ' + found.map(function (note) { return note.title; }).join(', '));
    }
  });
});

app.post('/notes', function (req, res) {
  if (!req.body.title) return res.send(400, { error: 'a title was expected' });
  var note = { id: ++last, title: req.body.title, text: req.body.text, tags: [].concat(req.body.tag || []) };
  notes.push(note);
  res.set('Location', '/notes/' + note.id);
  res.send(201, note);
});

app.get('/notes/:note', function (req, res) {
  res.send(req.note);
});

app.del('/notes/:note', function (req, res) {
  notes.splice(notes.indexOf(req.note), 1);
  res.send(204);
});

app.get('/notes/:note/text', function (req, res) {
  res.type('text').send(req.note.text || '');
});

app.listen(3000);
