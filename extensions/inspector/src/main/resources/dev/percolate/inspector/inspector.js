'use strict';
// Values from requests are added to the page as text, never as HTML.
const byId = (id) => document.getElementById(id);
const views = ['requests', 'live', 'map', 'counters'];
const items = new Map(); // the list items by the id of their request
const most = 200;
let requests = new Map(); // the requests by id
let drawing = 0; // the id of the animation frame that updates the list
let early; // requests that arrive while all are loaded
let chosen = 0; // the id of the selected request
let follows = true; // whether the newest request is selected, until the user selects one
let replayed = ''; // the request that is being replayed; the next one like it is selected
let viewed = 'requests';

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function button(text, action) {
  const made = element('button', text);
  made.type = 'button';
  made.addEventListener('click', () => action(made));
  return made;
}

function block(text) {
  const made = element('pre', text);
  made.tabIndex = 0;
  return made;
}

function millis(micros) {
  return (micros / 1000).toFixed(1) + ' ms';
}

function lasting(micros) {
  const seconds = micros / 1e6;
  return seconds < 1 ? millis(micros) : seconds < 120 ? seconds.toFixed(1) + ' s' : Math.floor(seconds / 60) + ' min';
}

function bytes(count) {
  const units = ['B', 'kB', 'MB', 'GB'];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < 3) {
    value /= 1000;
    unit++;
  }
  return (unit ? value.toFixed(1) : value) + ' ' + units[unit];
}

const size = (request) => request.size < 0 ? '' : bytes(request.size); // unknown for bodies in chunks
const time = (millis) => new Date(millis).toTimeString().slice(0, 8);
const state = (request) => request.status || (request.open ? 'open' : 'gone');
const failed = (request) => !request.open && (request.status >= 400 || request.status === 0);
const line = (request) => request.method + ' ' + request.target;

async function load(path) {
  const reply = await fetch('/_percolate/' + path);
  if (!reply.ok) throw new Error(reply.status);
  return reply.json();
}

// The list

function matches(request) {
  const status = byId('status').value;
  const words = byId('text').value.split(' ').filter((word) => word && word !== '-');
  return request.at > Number(sessionStorage.getItem('cleared'))
    && (!status || (status === 'failed' ? failed(request) : status === 'open' ? request.open : Math.floor(request.status / 100) === Number(status)))
    && words.every((word) => word[0] === '-' ? !line(request).includes(word.slice(1)) : line(request).includes(word));
}

function item(request) {
  if (!items.has(request.id)) {
    const made = element('li');
    made.append(button('', () => {
      follows = false;
      choose(request.id);
    }));
    items.set(request.id, made);
  }
  const made = items.get(request.id);
  const outcome = request.open ? 'dim' : failed(request) ? 'bad' : 'ok';
  const cells = [[time(request.at), 'time dim'], [request.method, 'method'], [request.target, 'path'], [state(request), 'status ' + outcome],
    [request.open ? '' : lasting(request.micros), 'took dim'], [size(request), 'size dim']];
  made.firstChild.replaceChildren(...cells.flatMap(([text, name]) => [element('span', text, name), ' ']));
  made.firstChild.setAttribute('aria-current', String(request.id === chosen));
  return made;
}

function list() {
  drawing = 0;
  const found = [...requests.values()].filter(matches).sort((a, b) => b.id - a.id);
  let at = byId('list').firstChild;
  for (const made of found.map(item)) { // moves no item that stays, so that it keeps the focus
    if (made === at) at = at.nextSibling;
    else byId('list').insertBefore(made, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
  if (!found.length && !chosen) byId('detail').replaceChildren(element('p', 'No requests to show.'));
  else if (follows && found.length && found[0].id !== chosen) choose(found[0].id, true);
}

function receive(request) {
  if (early) {
    early.push(request);
    return;
  }
  const known = requests.has(request.id);
  requests.set(request.id, request);
  if (requests.size > most) {
    const oldest = Math.min(...requests.keys());
    requests.delete(oldest);
    items.delete(oldest);
  }
  if (!known && replayed === line(request)) {
    replayed = '';
    follows = false;
    choose(request.id, true);
  } else if (request.id === chosen && !request.open) {
    choose(chosen, true);
  }
  drawing = drawing || requestAnimationFrame(list);
}

function paused() {
  return byId('pause').getAttribute('aria-pressed') === 'true';
}

byId('text').addEventListener('input', list);
byId('status').addEventListener('change', list);
byId('filter').addEventListener('submit', (event) => event.preventDefault());
byId('pause').addEventListener('click', () => {
  byId('pause').setAttribute('aria-pressed', String(!paused()));
  if (!paused()) begin();
});
byId('clear').addEventListener('click', () => {
  sessionStorage.setItem('cleared', Date.now());
  chosen = 0;
  follows = true;
  list();
});

// One request

async function choose(id, keepFocus) {
  chosen = id;
  if (viewed === 'requests' && !follows) history.replaceState(null, '', '#' + id);
  items.forEach((item, one) => item.firstChild.setAttribute('aria-current', String(one === id)));
  const detail = byId('detail');
  let parts;
  try {
    parts = details(await load('requests/' + id));
  } catch (error) {
    parts = [element('p', 'This request is no longer stored.')];
  }
  if (id !== chosen) return; // another request was selected meanwhile
  detail.replaceChildren(...parts);
  if (!keepFocus) detail.focus({preventScroll: matchMedia('(min-width: 50rem)').matches}); // on phones, it is below the list
}

function details(request) {
  const facts = [request.open ? 'open' : '', request.status || 'no response', time(request.at), lasting(request.micros), size(request)];
  const parts = [element('h2', line(request)), element('p', facts.filter(Boolean).join(' · '))];
  if (!request.open) parts.push(actions(request));
  if (request.error) parts.push(element('p', request.error, 'bad'));
  request.hangs.concat(request.drifts).forEach((report) => parts.push(element('p', report, 'bad')));
  if (request.live) parts.push(element('p', conversation(request.live)));
  if (request.line) parts.push(element('h3', 'Log line'), block(request.line));
  parts.push(element('h3', 'Steps'));
  const total = Math.max(1, request.micros);
  request.steps.forEach((step, index) => parts.push(stepPart(step, index, request.steps, total)));
  if (request.more) parts.push(element('p', 'and ' + request.more + ' more steps'));
  parts.push(element('h3', 'Request headers'), block(request.headers.join('\n')));
  if (request.body) parts.push(element('h3', 'Request body'), block(request.body));
  if (!request.open) parts.push(element('h3', 'As a test'), block(request.asTest), element('h3', 'As curl'), block(request.asCurl));
  return parts;
}

function actions(request) {
  const copy = (text) => (made) => navigator.clipboard.writeText(text).then(() => { made.textContent = 'Copied'; });
  const made = element('div', undefined, 'actions');
  made.append(button('Replay', () => replay(request)),
    button('Copy as test', copy(request.asTest)), button('Copy as recording', copy(request.asRecording)), button('Copy as curl', copy(request.asCurl)));
  return made;
}

// Sends the request again, with the cookies of this browser. Other secrets stay masked. The stored body has been decoded.
async function replay(request) {
  if (paused()) byId('pause').click();
  replayed = line(request);
  try {
    // A list, because a Headers object has its names in lower case.
    const headers = request.headers.map((header) => header.split(/: (.*)/s, 2))
      .filter(([name, value]) => value !== 'masked' && !/^content-encoding$/i.test(name));
    const body = request.body && !/^(GET|HEAD)$/.test(request.method) ? request.body : undefined;
    const reply = await fetch(location.origin + request.target,
      {method: request.method, headers, body, redirect: 'manual', cache: 'no-store', signal: AbortSignal.timeout(10000)});
    await reply.arrayBuffer();
  } catch (error) {
    if (replayed) byId('detail').prepend(element('p', 'The browser cannot replay this request: ' + error.message, 'bad'));
    replayed = '';
  }
}

function conversation(live) {
  const [kind, , how, come, sent, since, lasts] = liveRow(live);
  return kind + ' since ' + since + ', for ' + lasts + (come ? '; in ' + come + ', out ' + sent : '') + '; ' + how;
}

function liveRow(live) {
  const traffic = (messages, count) => messages === undefined ? '' : messages + ' messages, ' + bytes(count);
  const how = live.open ? 'open' : 'closed' + (live.code ? ' with ' + live.code + (live.reason ? ' ' + live.reason : '') : '');
  return [live.kind, line(live), how, traffic(live.messagesIn, live.bytesIn),
    traffic(live.messagesOut, live.bytesOut), time(live.at), lasting(live.micros)];
}

function stepPart(step, index, steps, total) {
  const part = element('div', undefined, 'step');
  const head = element('p');
  head.append(element('b', index + 1 + '. ' + step.step + ' '), element('code', step.layer + (step.origin ? ', ' + step.origin : '')));
  part.append(head);
  const end = step.returns === undefined ? total : step.returns;
  const passes = step.passes === undefined ? end : Math.min(step.passes, end);
  const resumes = step.resumes === undefined ? end : Math.min(step.resumes, end);
  part.append(bar(step.begin, passes, resumes, end, total));
  const times = [millis(step.begin), 'before next ' + millis(passes - step.begin)];
  if (step.passes !== undefined) times.push('after next ' + millis(Math.max(0, end - resumes)));
  if (!index || steps[index - 1].thread !== step.thread) times.push('thread ' + step.thread);
  part.append(element('p', times.join(' · '), 'dim'));
  if (step.error) part.append(element('p', 'received ' + step.error, 'bad'));
  if (step.threw) part.append(element('p', 'threw ' + step.threw, 'bad'));
  if (step.passesError) part.append(element('p', 'passed on ' + step.passesError, 'bad'));
  if (step.responded) part.append(element('p', 'responded', 'ok'));
  if (step.headers.length) part.append(block(step.headers.join('\n')));
  return part;
}

function bar(begin, passes, resumes, end, total) {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 1000 10');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  [[begin, passes, 'before'], [passes, resumes, 'after'], [resumes, end, 'before']].forEach(([from, to, name]) => {
    const rect = document.createElementNS(space, 'rect');
    rect.setAttribute('x', 1000 * from / total);
    rect.setAttribute('width', Math.max(name === 'before' && to > from ? 2 : 0, 1000 * (to - from) / total));
    rect.setAttribute('height', 10);
    rect.setAttribute('class', name);
    svg.append(rect);
  });
  return svg;
}

// The other views

function table(head, rows) {
  const made = element('table');
  const top = element('tr');
  head.forEach((text) => { const th = element('th', text); th.scope = 'col'; top.append(th); });
  const thead = element('thead');
  thead.append(top);
  const body = element('tbody');
  rows.forEach((row) => {
    const tr = element('tr');
    row.forEach((text) => tr.append(element('td', text)));
    body.append(tr);
  });
  made.append(thead, body);
  const wide = element('div', undefined, 'wide');
  wide.tabIndex = 0;
  wide.append(made);
  return wide;
}

function mapRows(entries, depth, rows) {
  entries.forEach((entry) => {
    rows.push(['\u2003'.repeat(depth) + entry.kind + ' ' + entry.path, entry.steps.join(', ') + (entry.errors ? ' (errors)' : ''), entry.origin]);
    mapRows(entry.inner, depth + 1, rows);
  });
  return rows;
}

function filled(rows, head, nothing) {
  return rows.length ? table(head, rows) : element('p', nothing);
}

async function fill(name) {
  if (name === 'live') return filled((await load('live')).map(liveRow), ['Kind', 'Request', 'State', 'In', 'Out', 'Since', 'For'], 'No open sockets or streams.');
  if (name === 'map') return filled(mapRows(await load('map'), 0, []), ['Layer', 'Steps', 'Defined at'], 'No layers.');
  return table(['Counter', 'Value'], Object.entries(await load('counters')).map(([counter, value]) =>
    counter.endsWith(', bytes') ? [counter.slice(0, -7), bytes(value)] : [counter, value]));
}

async function refresh() {
  const name = viewed;
  if (name === 'requests') return;
  const made = await fill(name);
  if (name === viewed) byId(name).replaceChildren(made);
}

async function view(name) {
  viewed = name;
  for (const one of views) {
    byId(one).hidden = one !== name;
    byId('tab-' + one).setAttribute('aria-pressed', String(one === name));
  }
  history.replaceState(null, '', '#' + (name !== 'requests' ? name : follows ? '' : chosen));
  await refresh();
}

views.forEach((name) => byId('tab-' + name).addEventListener('click', () => view(name)));

// Messages on open connections send no events, so the view polls.
setInterval(() => { if (viewed === 'live' && !document.hidden) refresh(); }, 1000);

// Loads all requests: at first, after a pause, and after a restart of the application, which numbers them from 1 again.
async function begin() {
  const wanted = location.hash.slice(1);
  if (wanted !== 'requests' && views.includes(wanted)) view(wanted);
  early = [];
  try {
    requests = new Map((await load('requests')).map((request) => [request.id, request]));
    items.clear();
    if (requests.has(Number(wanted))) {
      follows = false;
      choose(Number(wanted), true);
    } else if (follows || !requests.has(chosen)) {
      chosen = 0;
      follows = true;
    }
    list();
  } finally {
    const late = early || [];
    early = undefined;
    late.forEach(receive);
  }
}

function connect() {
  const events = new EventSource('/_percolate/events');
  events.onopen = () => { byId('live-state').textContent = 'connected'; if (!paused()) begin(); };
  events.onerror = () => {
    byId('live-state').textContent = 'not connected';
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 1000); // an error, as while the application does not start
  };
  events.onmessage = (event) => { if (!paused()) receive(JSON.parse(event.data)); };
}

connect();
