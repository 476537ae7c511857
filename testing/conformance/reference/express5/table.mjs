// Writes ../../beside-express5.md.
import { escaped, headerName } from './normal.mjs'

const LONGEST_REQUEST = 90
const LONGEST_PART = 50

/** Returns the text of the whole page. */
export function page (kinds, facts) {
  const rows = kinds.flatMap(kind => kind.rows)
  const differ = rows.filter(isDifferent).length
  const alike = kinds.filter(kind => !kind.rows.some(isDifferent))
  return [
    '# Beside Express 5',
    '',
    '`testing/conformance/beside-express5` sends the same requests (`reference/express5/requests.json`) to an Express 5',
    'application (`app.mjs`) and a Percolate application (`BesideExpress.java`), each with its own defaults, and writes this',
    'page. It fails if a difference has no reason, or a reason no difference.',
    '',
    `Run on ${facts}.`,
    '',
    `Of ${rows.length} requests, ${rows.length - differ} got the same response. These are the others: Express 5 → Percolate, the status if it differs,`,
    'else all differing parts. Of a header that only one side sends, only the name is shown.',
    '',
    '- Both run in production mode and trust the loopback interface as a proxy.',
    '- Compared: status, decoded body, headers, and log lines in the combined format.',
    '- Not compared: `Date`, `Connection`, `Keep-Alive`, `Transfer-Encoding`, `Server`, `X-Powered-By`, a `Content-Length`',
    '  that matches the body, values of entity tags and session IDs, and default error pages with their headers.',
    '- `(cut)`: the body does not have its declared length. `\\xE9` is one byte.',
    '',
    `No difference in: ${alike.map(({ kind, rows }) => `${kind} (${rows.length})`).join('; ')}.`,
    '',
    ...kinds.filter(kind => !alike.includes(kind)).flatMap(section)
  ].join('\n')
}

function isDifferent ({ differs }) {
  return differs.length > 0
}

/** Returns the requests of a kind that differ, each below its reason. */
function section ({ kind, rows }) {
  const differing = rows.filter(isDifferent)
  const reasons = [...new Set(differing.map(row => row.reason))]
  return [
    `## ${kind}: ${rows.length - differing.length} of ${rows.length} the same`,
    '',
    ...reasons.flatMap(reason => [
      reason ?? '**No reason**',
      '',
      ...lines(differing.filter(row => row.reason === reason)),
      ''
    ])
  ]
}

/** Returns a line for each difference, with all requests that have it. */
function lines (rows) {
  const requests = new Map()
  for (const { request, theirs, ours, differs } of rows) {
    const difference = `${shown(theirs, ours, differs)} → ${shown(ours, theirs, differs)}`
    requests.set(difference, [...requests.get(difference) ?? [], code(short(request, LONGEST_REQUEST))])
  }
  return [...requests].map(([difference, all]) => `- ${all.join(', ')}: ${difference}`)
}

/** Returns what differs of a response. A header that the other one lacks is shown by its name. */
function shown ({ status, headers, body, log }, other, differs) {
  const statusDiffers = differs.includes('status')
  const names = statusDiffers ? [] : differs.filter(name => name in headers)
  const parts = [
    statusDiffers ? status ?? 'closed' : null,
    ...names.map(name => name in other.headers ? `${headerName(name)}: ${escaped(headers[name])}` : headerName(name)),
    !statusDiffers && differs.includes('body') ? withoutBreaks(body) || 'no body' : null,
    log === undefined || statusDiffers ? null : log
  ].filter(part => part !== null)
  if (parts.length > 0) return parts.map(part => code(short(String(part), LONGEST_PART))).join(' ')
  return 'none'
}

/** Returns the text of a body, which is UTF-8, on one line. */
function withoutBreaks (text) {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '\\n')
}

function short (text, longest) {
  return text.length <= longest ? text : text.slice(0, longest) + '…'
}

/** Returns a code span. */
function code (text) {
  const fence = text.includes('`') ? '``' : '`'
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return fence + pad + text + pad + fence
}
