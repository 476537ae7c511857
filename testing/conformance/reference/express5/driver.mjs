// Sends the requests of requests.json to both applications and compares; ../../beside-express5 starts it.
// usage: node driver.mjs [--check] PAGE JAVA CLASSPATH
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { bytes, exchange, parse } from './wire.mjs'
import { differences, logLine, normal } from './normal.mjs'
import { page } from './table.mjs'

const FILE_TIME = new Date('2020-01-02T03:04:05Z')
const UNDER_WAY_MILLIS = 150
const LOG_MILLIS = 2500
const HERE = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname)

/** One of the two applications, in a process of its own. */
class Side {
  constructor (name, command, folder) {
    this.name = name
    this.lines = []
    this.jars = new Map()
    this.child = spawn(command[0], [...command.slice(1), folder], {
      env: { ...process.env, NODE_ENV: 'production', APP_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    this.errors = []
    this.child.stderr.on('data', piece => this.errors.push(piece))
    this.port = new Promise((resolve, reject) => {
      this.child.on('exit', () => reject(new Error(`${name} ended: ${Buffer.concat(this.errors)}`)))
      createInterface({ input: this.child.stdout }).on('line', line => {
        if (line.startsWith('PORT ')) resolve(Number(line.slice(5)))
        if (line.startsWith('LOG ')) this.lines.push(logLine(line.slice(4)))
      })
    })
  }

  /** Sends a request and gives what is compared of the answer. */
  async answer (row) {
    const known = row.after ? await this.known(row.after) : {}
    const cookie = this.jars.get(row.jar)
    const fill = text => text.replace('{etag}', known.etag).replace('{last-modified}', known['last-modified'])
      .replace('{cookie}', cookie)
    const send = [...row.send]
    if (cookie && !send.some(line => line.startsWith('Cookie:'))) send.push('Cookie: sid={cookie}')
    if (row.log) {
      await sleep(100) // what was asked before has been logged
      this.lines.length = 0
    }
    const method = row.send[0].split(' ')[0]
    const response = await exchange(await this.port, bytes({ ...row, send }, fill), row.disconnect)
    const parsed = response && parse(response, method)
    if (row.jar && parsed) this.keep(row.jar, parsed.headers['set-cookie'])
    const answer = parsed ? normal(parsed, method, row) : { headers: {} }
    return row.log ? { ...answer, log: await this.logged(answer.status >= 400) } : answer
  }

  /** Returns the headers of the answer to a GET. */
  async known (line) {
    return parse(await exchange(await this.port, bytes({ send: [line] })), 'GET').headers
  }

  /** Keeps the cookie of a session as a browser does. */
  keep (jar, line) {
    const [, value] = /^sid=([^;]*)/.exec(line ?? '') ?? []
    if (value) this.jars.set(jar, value)
    if (value === '') this.jars.delete(jar)
  }

  /** Waits for the line of the request. The length of an error page does not count. */
  async logged (isPage) {
    for (let waited = 0; this.lines.length === 0 && waited < LOG_MILLIS; waited += 20) await sleep(20)
    const lines = this.lines.join(' / ') || 'no line'
    return isPage ? lines.replace(/" (\d{3}) \d+ "/, '" $1 … "') : lines
  }
}

/** Lays the files that both applications serve. */
function layFiles () {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'beside-express5-'))
  const files = { 'ten.txt': '0123456789', 'long.txt': 'The quick brown fox. '.repeat(250), 'secret/key.txt': 'the key' }
  for (const type of ['mjs', 'js', 'wasm', 'woff2', 'md', 'json', 'webmanifest']) {
    files['type.' + type] = 'x'
  }
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
    fs.utimesSync(file, FILE_TIME, FILE_TIME)
  }
  return folder
}

/** Sends all requests in order; one that overlaps the next is under way while that is answered. */
async function play (kinds, sides) {
  let number = 0
  let pending = Promise.resolve()
  for (const kind of kinds) {
    kind.rows = []
    for (const row of kind.requests) {
      const result = { number: ++number, reasonName: row.reason, request: described(row) }
      kind.rows.push(result)
      const answered = Promise.all(sides.map(side => side.answer(row)))
        .then(([theirs, ours]) => Object.assign(result, { theirs, ours, differs: differences(theirs, ours) }))
      if (row.overlapsNext) {
        await sleep(UNDER_WAY_MILLIS)
        pending = answered
      } else {
        await Promise.all([answered, pending])
      }
    }
  }
}

/** Returns a request in a line. */
function described ({ send, after, body, raw, jar, disconnect, overlapsNext }) {
  return [
    ...send,
    describedBody(raw ?? body) || null,
    after ? `after ${after}` : null,
    jar ? `cookies of browser ${jar}` : null,
    overlapsNext ? 'still under way during the next' : null,
    disconnect ? `reset after ${disconnect} ms` : null
  ].filter(part => part !== null).join(' · ')
}

/** Returns a body as it stands in requests.json, without the lines that only separate the parts of a form. */
function describedBody (body) {
  if (body === undefined) return ''
  if (typeof body === 'string') return body.replaceAll('\r', '\\r').replaceAll('\n', '\\n')
  if (Array.isArray(body)) return body.filter(line => line && !/^--/.test(line)).join(' ⏎ ')
  return Object.entries(body).map(([form, inner]) => `${form}(${describedBody(inner)})`).join()
}

/** Gives each difference its reason; returns what is wrong with them. */
function explain (kinds, reasons) {
  const faults = []
  const used = new Set()
  for (const { number, request, differs, reasonName, ...row } of kinds.flatMap(kind => kind.rows)) {
    const name = `request ${number} (${request})`
    if (differs.length > 0 && !(reasonName in reasons)) {
      faults.push(`${name}: no reason for ${differs.join(', ')}`)
      faults.push(`  Express 5: ${JSON.stringify(row.theirs)}`, `  Percolate: ${JSON.stringify(row.ours)}`)
    }
    if (differs.length === 0 && reasonName) faults.push(`${name}: the reason "${reasonName}" is no longer needed`)
    if (reasonName) used.add(reasonName)
  }
  for (const name of Object.keys(reasons)) {
    if (!used.has(name)) faults.push(`the reason "${name}" belongs to no request`)
  }
  for (const row of kinds.flatMap(kind => kind.rows)) row.reason = reasons[row.reasonName]
  return faults
}

function facts (java) {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(HERE, 'package.json'), 'utf8'))
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`)
  return `${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${versions.join(', ')}; JDK ${java}`
}

const [target, java, classPath] = process.argv.slice(2).filter(arg => arg !== '--check')
const checksOnly = process.argv.includes('--check')
const { reasons, kinds } = JSON.parse(fs.readFileSync(path.join(HERE, 'requests.json'), 'utf8'))
const folder = layFiles()
const sides = [
  new Side('Express 5', [process.execPath, path.join(HERE, 'app.mjs')], folder),
  new Side('Percolate', [java, '-cp', classPath, 'dev.percolate.conformance.BesideExpress'], folder)
]
try {
  await Promise.all(sides.map(side => side.port))
  await play(kinds, sides)
} finally {
  for (const side of sides) side.child.kill()
  fs.rmSync(folder, { recursive: true })
}
const faults = explain(kinds, reasons)
const text = page(kinds, facts(process.env.JAVA_VERSION_SHOWN))
const withoutFacts = page => page.replace(/^Run on .*$/m, '')
if (!checksOnly) {
  fs.writeFileSync(target, text)
} else if (withoutFacts(fs.readFileSync(target, 'utf8')) !== withoutFacts(text)) {
  faults.push(`${path.basename(target)} shows other responses; run testing/conformance/beside-express5 and commit it`)
}
for (const fault of faults) console.log(fault)
const rows = kinds.flatMap(kind => kind.rows)
console.log(`SAME ${rows.filter(row => row.differs.length === 0).length} of ${rows.length}`)
process.exitCode = faults.length > 0 ? 1 : 0
