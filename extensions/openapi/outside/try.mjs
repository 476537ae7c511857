// Started by ../try; see the description there.
import fs from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import SwaggerParser from '@apidevtools/swagger-parser'
import openapiTS, { astToString } from 'openapi-typescript'
import { browse } from './browser.mjs'
import { startAll } from './servers.mjs'

const here = import.meta.dirname
const folder = path.join(here, 'target')
const quiet = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', DO_NOT_TRACK: '1' }
const faults = []

/** Runs a Node program; throws its output if it fails. */
function run (program, ...given) {
  try {
    execFileSync(process.execPath, [program, ...given], { cwd: folder, stdio: 'pipe', env: quiet })
  } catch (error) {
    throw new Error(`${error.stdout}${error.stderr}`)
  }
}

const tool = name => path.join(here, 'node_modules', name)

async function attempt (what, work) {
  try {
    await work()
    console.log(`${what}: fine`)
  } catch (error) {
    faults.push(`${what}: ${error.message}`)
  }
}

async function judge ({ name, url }) {
  const file = path.join(folder, `${name}.json`)
  const document = await (await fetch(`${url}/openapi.json`)).json()
  fs.writeFileSync(file, JSON.stringify(document, null, 2))
  await attempt(`${name}: redocly lint`, () => run(tool('@redocly/cli/bin/cli.js'), 'lint', '--format=stylish', file))
  await attempt(`${name}: swagger-parser`, () => SwaggerParser.validate(file))
  await attempt(`${name}: types of openapi-typescript`, async () =>
    fs.writeFileSync(path.join(folder, `${name}.ts`), astToString(await openapiTS(document))))
}

fs.rmSync(folder, { recursive: true, force: true })
fs.mkdirSync(folder, { recursive: true })
const servers = await startAll(folder)
try {
  for (const server of servers) await judge(server)
  fs.copyFileSync(path.join(here, 'client.ts'), path.join(folder, 'client.ts'))
  fs.copyFileSync(path.join(here, 'own.ts'), path.join(folder, 'own.ts'))
  const own = await (await fetch(`${servers[0].url}/client.ts`)).text()
  const ownFile = path.join(folder, 'catalog-client.ts')
  fs.writeFileSync(ownFile, own)
  const sources = ['client.ts', 'own.ts', ...servers.map(({ name }) => `${name}.ts`)]
  const compile = (...files) => run(tool('typescript/bin/tsc'), '--strict', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node', ...files)
  await attempt('tsc --strict of all types and of the clients', () => compile(...sources))
  await attempt('calls by openapi-fetch', () => run('client.js', servers[0].url))
  await attempt('calls by the client of the application', () => run('own.js', servers[0].url))
  await attempt('a changed route does not compile', () => {
    fs.writeFileSync(ownFile, own.replaceAll('postBooks ', 'postNovels '))
    let compiled = true
    try { compile('own.ts') } catch { compiled = false }
    if (compiled) throw new Error('own.ts compiles without postBooks')
  })
  await attempt('pages in Chromium', async () => faults.push(...await browse(servers, folder)))
} finally {
  servers.forEach(server => server.stop())
}
faults.forEach(fault => console.error(fault))
console.log(`${servers.length} documents, ${faults.length} faults`)
process.exit(faults.length ? 1 : 0)
