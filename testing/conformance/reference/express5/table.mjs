// Writes ../../beside-express5.md.
import { escaped, headerName } from './normal.mjs'

const LONGEST_REQUEST = 110
const LONGEST_PART = 70

/** Returns the text of the whole page. */
export function page (kinds, facts) {
  const rows = kinds.flatMap(kind => kind.rows)
  const differ = rows.filter(isDifferent).length
  const alike = kinds.filter(kind => !kind.rows.some(isDifferent))
  return [
    '# Beside Express 5',
    '',
    '`testing/conformance/beside-express5` sends the same requests to an Express 5 application and to a Percolate application, each',
    'with its own defaults, and writes this page. It fails if a difference has no reason, or if a reason belongs to no',
    'difference.',
    '',
    `Run on ${facts}.`,
    '',
    `Of ${rows.length} requests, ${rows.length - differ} got the same response. This page lists the other ${differ}, with the response of`,
    'Express 5 → that of Percolate: only the status code if that differs, else all differing parts. Of a header that the other',
    'response lacks, only the name is shown.',
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
      ...differing.filter(row => row.reason === reason).map(line),
      ''
    ])
  ]
}

function line ({ request, theirs, ours, differs }) {
  return `- ${code(short(request, LONGEST_REQUEST))}: ${shown(theirs, ours, differs)} → ${shown(ours, theirs, differs)}`
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
