// Writes the requests of requests.json as bytes, sends them over sockets, and reads the responses.
import net from 'node:net'
import zlib from 'node:zlib'

const IDLE_MILLIS = 8000

/** Returns the bytes of a request: lines of the head as they are, Host, Connection and the length added if absent. */
export function bytes (row, fill = text => text) {
  const [line, ...headers] = row.send.map(fill)
  const body = row.raw === undefined ? content(row.body) : Buffer.from(row.raw)
  const head = [/ HTTP\/\d/.test(line) ? line : line + ' HTTP/1.1', ...headers]
  const has = name => headers.some(header => header.toLowerCase().startsWith(name + ':'))
  if (!has('host')) head.push('Host: localhost')
  if (!has('connection')) head.push('Connection: close')
  if (row.body !== undefined && !has('content-length')) head.push('Content-Length: ' + body.length)
  return Buffer.concat([Buffer.from(head.join('\r\n') + '\r\n\r\n'), body])
}

/** Returns the bytes of a body: text, a list of lines that end in CRLF, or one of these as a coding or charset. */
function content (body) {
  if (body === undefined) return Buffer.alloc(0)
  if (typeof body === 'string') return Buffer.from(body)
  if (Array.isArray(body)) return Buffer.from(body.join('\r\n'))
  const [[form, inner]] = Object.entries(body)
  switch (form) {
    case 'hex': return Buffer.from(inner.replaceAll(' ', ''), 'hex')
    case 'latin1': return Buffer.from(content(inner).toString(), 'latin1')
    case 'gzip': return zlib.gzipSync(content(inner))
    case 'br': return zlib.brotliCompressSync(content(inner))
    default: throw new Error('unknown form of a body: ' + form)
  }
}

/** Sends a request on a connection of its own; gives what came back, or null after a hang-up. */
export function exchange (port, request, disconnect) {
  return new Promise(resolve => {
    const pieces = []
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(request)
      if (disconnect) {
        setTimeout(() => {
          socket.resetAndDestroy()
          resolve(null)
        }, disconnect)
      }
    })
    socket.setTimeout(IDLE_MILLIS, () => socket.destroy())
    socket.on('data', piece => pieces.push(piece))
    socket.on('error', () => {}) // what came before a reset counts
    socket.on('close', () => resolve(Buffer.concat(pieces)))
  })
}

/** Reads a response: status, headers by their names in lower case, the decoded body, and whether it was cut. */
export function parse (response, method) {
  const end = response.indexOf('\r\n\r\n')
  if (end < 0) return { status: null, headers: {}, body: Buffer.alloc(0), cut: false }
  const [line, ...lines] = response.subarray(0, end).toString('latin1').split('\r\n')
  const headers = {}
  for (const each of lines) {
    const name = each.slice(0, each.indexOf(':')).toLowerCase()
    const value = each.slice(name.length + 1).trim()
    headers[name] = name in headers ? headers[name] + '\n' + value : value
  }
  const status = Number(line.split(' ')[1])
  const rest = response.subarray(end + 4)
  const bodiless = method === 'HEAD' || status === 204 || status === 304
  const { body, cut } = bodiless ? { body: rest, cut: false } : framed(rest, headers)
  return { status, headers, body: body.length === 0 ? body : decoded(body, headers['content-encoding']), cut }
}

function framed (rest, headers) {
  if (/chunked/i.test(headers['transfer-encoding'])) return chunks(rest)
  const length = headers['content-length']
  if (length === undefined) return { body: rest, cut: false }
  return { body: rest.subarray(0, Number(length)), cut: rest.length !== Number(length) }
}

function chunks (rest) {
  const pieces = []
  for (let at = 0; ;) {
    const end = rest.indexOf('\r\n', at)
    const size = end < 0 ? NaN : parseInt(rest.subarray(at, end).toString(), 16)
    if (size > 0 && end + 2 + size <= rest.length) {
      pieces.push(rest.subarray(end + 2, end + 2 + size))
      at = end + 2 + size + 2
    } else {
      return { body: Buffer.concat(pieces), cut: size !== 0 }
    }
  }
}

function decoded (body, coding) {
  try {
    switch (coding) {
      case 'gzip': return zlib.gunzipSync(body)
      case 'deflate': return zlib.inflateSync(body)
      case 'br': return zlib.brotliDecompressSync(body)
      default: return body
    }
  } catch {
    return Buffer.from(`(${body.length} bytes that are not ${coding})`)
  }
}
