// Starts the applications whose documents are tested, each in its own process.
import fs from 'node:fs'
import path from 'node:path'
import { spawn } from 'node:child_process'

const root = path.join(import.meta.dirname, '..', '..', '..')
const java = process.env.JAVA_HOME ? path.join(process.env.JAVA_HOME, 'bin', 'java') : 'java'
const LISTENING = /http:\/\/\S+?:\d+/

function classPath (module, ...more) {
  const listing = fs.readFileSync(path.join(root, module, 'target/class-path'), 'utf8').trim()
  return [...more, path.join(root, module, 'target/classes'), listing].join(path.delimiter)
}

/** Starts an application; returns its address and a function that stops it. */
async function start (name, classes, main, options = [], environment = {}) {
  const server = spawn(java, ['--enable-native-access=ALL-UNNAMED', ...options, '-cp', classes, main], {
    cwd: path.join(root, 'samples/examples'),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const url = await new Promise((resolve, reject) => {
    let said = ''
    server.stdout.on('data', text => {
      said += text
      const found = LISTENING.exec(said)
      if (found && said.includes('\n', found.index)) resolve(found[0].replace(/\/\/(0\.0\.0\.0|localhost|\[[^\]]*\])/, '//127.0.0.1'))
    })
    server.once('exit', () => reject(new Error(`${name} has ended before it listened: ${said}`)))
    server.once('error', reject)
  })
  return { name, url, stop: () => server.kill() }
}

export async function startAll (folder) {
  const data = path.join(folder, 'demo-data')
  const inMemory = { PORT: '0', DATA: data, JDBC_URL: 'jdbc:h2:mem:try' }
  const torture = classPath('samples/examples', path.join(root, 'extensions/openapi/target/test-classes'))
  return Promise.all([
    start('catalog', classPath('samples/examples'), 'dev.percolate.examples.Catalog', ['-Dport=0']),
    start('demo', classPath('samples/demo'), 'dev.percolate.demo.Demo', [], inMemory),
    start('torture', torture, 'dev.percolate.openapi.Torture')
  ])
}
