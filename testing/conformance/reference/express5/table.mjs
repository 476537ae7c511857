// Writes ../../beside-express5.md.
import { escaped, headerName } from './normal.mjs'

const LONGEST_JSON = 110
const LONGEST_TEXT = 90

/** Returns the text of the whole page. */
export function page (kinds, facts) {
  const rows = kinds.flatMap(kind => kind.rows)
  const differ = rows.filter(row => row.differs.length > 0).length
  return [
    '# Beside Express 5',
    '',
    '`testing/conformance/beside-express5` sends the same requests to an Express 5 application and to a Percolate application, each',
    'with its own defaults, and writes this page. It fails if a difference has no reason, or if a reason belongs to no',
    'difference.',
    '',
    `Run on ${facts}.`,
    '',
    `Of ${rows.length} requests, ${rows.length - differ} got the same response and ${differ} a different one.`,
    '',
    '- The requests and the reasons are in `reference/express5/requests.json`, the applications in',
    '  `reference/express5/app.mjs` and `BesideExpress.java`. Both run in production mode on the loopback interface, and',
    '  trust it as a proxy.',
    '- Compared: the status code, the decoded body, all other headers, and in the last section the log lines in the combined',
    '  format.',
    '- Not compared: `Date`, `Connection`, `Keep-Alive`, `Transfer-Encoding`, `Server`, `X-Powered-By`; `Content-Length` if',
    '  it matches the body; values of generated entity tags and session IDs; the text and type of default error pages, and',
    '  their `Content-Security-Policy` and `X-Content-Type-Options`.',
    '- `(cut)` marks a body that is shorter or longer than its declared length. `\\xE9` is one byte.',
    '',
    ...kinds.flatMap(section)
  ].join('\n')
}

function section ({ kind, shows = [], rows }) {
  return [
    `## ${kind}`,
    '',
    '| | request | Express 5 | Percolate | reason |',
    '|--:|---|---|---|---|',
    ...rows.map(row => line(row, (row.shows ?? shows).map(name => name.toLowerCase()))),
    ''
  ]
}

function line ({ number, request, theirs, ours, differs, reason }, shows) {
  const same = differs.length === 0
  const cells = [
    number,
    code(request),
    code(answer(theirs, shows, differs)),
    same ? 'same' : code(answer(ours, shows, differs)),
    same ? '' : reason ?? '**none**'
  ]
  return `| ${cells.join(' | ')} |`
}

/** Returns a response on one line: the headers shown for its kind, and those that differ if the status is the same. */
function answer ({ status, headers, body, log }, shows, differs) {
  const wanted = differs.includes('status') ? shows : [...shows, ...differs]
  const names = [...new Set(wanted)].filter(name => name in headers)
  const parts = [
    status === undefined ? null : status ?? 'closed',
    ...names.map(name => `${headerName(name)}: ${escaped(headers[name])}`),
    body ? short(escapedControls(body)) : null,
    log === undefined ? null : `log: ${log}`
  ]
  return parts.filter(part => part !== null).join(' · ')
}

/** Returns the text of a body, which is UTF-8, on one line. */
function escapedControls (text) {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')
}

function short (text) {
  const longest = text.startsWith('{') ? LONGEST_JSON : LONGEST_TEXT
  return text.length <= longest ? text : text.slice(0, longest) + '…'
}

/** Returns a code span of a table. */
function code (text) {
  if (text === '') return '(nothing)'
  const fence = text.includes('`') ? '``' : '`'
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return (fence + pad + text + pad + fence).replaceAll('|', '\\|')
}
