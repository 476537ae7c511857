// Prints how many microseconds of CPU it takes to parse a form; BodyRatios.java starts it.
import { createRequire } from 'node:module'

const [libraries, grammar, form] = process.argv.slice(2)
const qs = createRequire(libraries)('qs')
const count = form.split('&').length
// As body-parser has it; it counts the parts itself.
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
const rounds = Array.from({ length: 31 }, () => micros(calls)).sort((a, b) => a - b)
console.log(rounds[15])
