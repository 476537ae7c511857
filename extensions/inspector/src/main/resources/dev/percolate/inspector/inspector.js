'use strict';
// Values from requests are added to the page as text, never as HTML.
const byId = (id) => document.getElementById(id);
const shown = new Map();
const views = ['requests', 'live', 'map', 'counters'];
let chosen = 0;
let viewed = 'requests';

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function millis(micros) {
  return (micros / 1000).toFixed(1) + ' ms';
}

function lasting(micros) {
  const seconds = micros / 1e6;
  return seconds < 1 ? millis(micros) : seconds < 120 ? seconds.toFixed(1) + ' s' : Math.floor(seconds / 60) + ' min';
}

function statusClass(request) {
  return request.open ? 'dim' : request.status >= 400 || request.status === 0 ? 'bad' : 'ok';
}

function show(request) {
  let item = shown.get(request.id);
  if (!item) {
    item = element('li');
    item.append(element('button'));
    item.firstChild.type = 'button';
    item.firstChild.addEventListener('click', () => choose(request.id));
    byId('list').prepend(item);
    shown.set(request.id, item);
  }
  const button = item.firstChild;
  const state = request.open ? (request.status || 'open') : (request.status || 'gone');
  button.replaceChildren(
    element('span', state, statusClass(request)),
    element('code', request.method + ' ' + request.target),
    element('span', request.open ? '' : millis(request.micros), 'dim'));
  button.setAttribute('aria-current', String(request.id === chosen));
  while (shown.size > 200) {
    const oldest = shown.keys().next().value;
    shown.get(oldest).remove();
    shown.delete(oldest);
  }
  if (request.id === chosen && !request.open) choose(chosen, true);
}

async function load(path) {
  const reply = await fetch('/_percolate/' + path);
  if (!reply.ok) throw new Error(reply.status);
  return reply.json();
}

async function choose(id, keepFocus) {
  chosen = id;
  history.replaceState(null, '', '#' + id);
  shown.forEach((item, one) => item.firstChild.setAttribute('aria-current', String(one === id)));
  const detail = byId('detail');
  try {
    detail.replaceChildren(...details(await load('requests/' + id)));
  } catch (error) {
    detail.replaceChildren(element('p', 'This request is no longer stored.'));
  }
  if (!keepFocus) detail.focus();
}

function details(request) {
  const parts = [
    element('h2', request.method + ' ' + request.target),
    element('p', (request.open ? 'open, ' : '') + (request.status || 'no response') + ', ' + millis(request.micros))];
  if (request.error) parts.push(element('p', request.error, 'bad'));
  if (request.live) parts.push(element('p', conversation(request.live)));
  if (request.line) parts.push(element('h3', 'Log line'), block(request.line));
  parts.push(element('h3', 'Steps'));
  const total = Math.max(1, request.micros);
  request.steps.forEach((step, index) => parts.push(stepPart(step, index + 1, total)));
  if (request.more) parts.push(element('p', 'and ' + request.more + ' more steps'));
  parts.push(element('h3', 'Request headers'), block(request.headers.join('\n')));
  if (request.asTest) parts.push(element('h3', 'As a test'), copier(request.asTest), block(request.asTest));
  return parts;
}

function conversation(live) {
  const [kind, , state, come, sent, since, lasts] = liveRow(live);
  return kind + ' since ' + since + ', for ' + lasts + (come ? '; in ' + come + ', out ' + sent : '') + '; ' + state;
}

function liveRow(live) {
  const traffic = (messages, bytes) => messages === undefined ? '' : messages + ' messages, ' + bytes + ' bytes';
  const state = live.open ? 'open' : 'closed' + (live.code ? ' with ' + live.code + (live.reason ? ' ' + live.reason : '') : '');
  return [live.kind, live.method + ' ' + live.target, state, traffic(live.messagesIn, live.bytesIn),
    traffic(live.messagesOut, live.bytesOut), new Date(live.at).toLocaleTimeString(), lasting(live.micros)];
}

function block(text) {
  const made = element('pre', text);
  made.tabIndex = 0;
  return made;
}

function copier(text) {
  const button = element('button', 'Copy');
  button.type = 'button';
  button.addEventListener('click', () => navigator.clipboard.writeText(text).then(() => { button.textContent = 'Copied'; }));
  return button;
}

function stepPart(step, number, total) {
  const part = element('div', undefined, 'step');
  const head = element('p');
  head.append(element('b', number + '. ' + step.step + ' '), element('code', step.layer + (step.origin ? ', ' + step.origin : '')));
  part.append(head);
  const end = step.returns === undefined ? total : step.returns;
  const passes = step.passes === undefined ? end : Math.min(step.passes, end);
  const resumes = step.resumes === undefined ? end : Math.min(step.resumes, end);
  part.append(bar(step.begin, passes, resumes, end, total));
  const times = [millis(step.begin), 'before next ' + millis(passes - step.begin)];
  if (step.passes !== undefined) times.push('after next ' + millis(Math.max(0, end - resumes)));
  times.push('thread ' + step.thread);
  part.append(element('p', times.join(' · '), 'dim'));
  if (step.error) part.append(element('p', 'received ' + step.error, 'bad'));
  if (step.threw) part.append(element('p', 'threw ' + step.threw, 'bad'));
  if (step.passesError) part.append(element('p', 'passed on ' + step.passesError, 'bad'));
  if (step.answered) part.append(element('p', 'responded', 'ok'));
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

function table(head, rows) {
  const made = element('table');
  const line = element('tr');
  head.forEach((text) => { const th = element('th', text); th.scope = 'col'; line.append(th); });
  const thead = element('thead');
  thead.append(line);
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
  return table(['Counter', 'Value'], Object.entries(await load('counters')));
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
  history.replaceState(null, '', '#' + (name === 'requests' ? chosen || '' : name));
  await refresh();
}

views.forEach((name) => byId('tab-' + name).addEventListener('click', () => view(name)));

// Messages on open connections send no events, so the view polls.
setInterval(() => { if (viewed === 'live' && !document.hidden) refresh(); }, 1000);

async function begin() {
  (await load('requests')).reverse().forEach(show);
  const wanted = location.hash.slice(1);
  if (wanted !== 'requests' && views.includes(wanted)) await view(wanted);
  else if (/^\d+$/.test(wanted)) await choose(Number(wanted), true);
}

const events = new EventSource('/_percolate/events');
events.onopen = () => { byId('live-state').textContent = 'connected'; begin(); };
events.onerror = () => { byId('live-state').textContent = 'not connected'; };
events.onmessage = (event) => show(JSON.parse(event.data));
