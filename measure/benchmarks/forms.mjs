// Parses a form repeatedly for each line that it reads, and prints the CPU microseconds of a call.
// Started by QsOnNode.java.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const [libraries, grammar, form] = process.argv.slice(2)
const qs = createRequire(libraries)('qs')
const count = form.split('&').length
// The options of body-parser, which counts the parameters itself.
const options = grammar === 'extended'
  ? { allowPrototypes: true, arrayLimit: Math.max(100, count), depth: 32, parameterLimit: 100000, strictDepth: true, charset: 'utf-8' }
  : { allowPrototypes: true, arrayLimit: count, depth: 0, parameterLimit: 100000, strictDepth: true, charset: 'utf-8' }

const micros = calls => {
  const before = process.cpuUsage()
  for (let i = 0; i < calls; i++) qs.parse(form, options)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

let calls = 1
while (micros(calls) * calls < 40000) calls *= 2
for (let i = 0; i < 10; i++) micros(calls)
for await (const _ of createInterface({ input: process.stdin })) console.log(micros(calls))
