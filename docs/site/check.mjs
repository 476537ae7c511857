// Checks the built site: internal links and anchors, resources from other hosts, the pages of tasks.json, the search for the terms
// of search-terms.txt, the comment before each command that names its test, and the table of contents.
import fs from 'node:fs'
import path from 'node:path'
import config from './.vitepress/config.mjs'
import { searchFaults } from './search.mjs'

const here = import.meta.dirname
const dist = path.join(here, 'dist')
const withApi = !process.argv.includes('--pages')
const faults = []
const walk = (folder, end) => fs.readdirSync(folder, { recursive: true }).filter(name => name.endsWith(end)).map(name => path.join(folder, name))
const html = walk(dist, '.html')
const ids = new Map()

function anchors (file) {
  if (!ids.has(file)) {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
    ids.set(file, text && new Set([...text.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(found => unescaped(found[1]))))
  }
  return ids.get(file)
}
function unescaped (text) { return text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"') }

function check (from, link) {
  const [where, anchor] = link.split('#')
  const decoded = decodeURIComponent(where)
  let target = decoded === '' ? from : decoded.startsWith('/') ? path.join(dist, decoded) : path.resolve(path.dirname(from), decoded)
  if (target.endsWith('/') || (fs.existsSync(target) && fs.statSync(target).isDirectory())) target = path.join(target, 'index.html')
  if (!withApi && target.startsWith(path.join(dist, 'api'))) return
  if (!fs.existsSync(target)) return faults.push(`${path.relative(dist, from)}: broken link ${link}`)
  if (anchor && target.endsWith('.html') && !anchors(target).has(decodeURIComponent(anchor))) faults.push(`${path.relative(dist, from)}: unknown anchor in ${link}`)
}

let links = 0
for (const file of html) {
  const text = fs.readFileSync(file, 'utf8').replace(/<script\b[^>]*>.*?<\/script>/gs, tag => tag.slice(0, tag.indexOf('>') + 1))
  for (const [, tag, attributes] of text.matchAll(/<(a|link|script|img|source|iframe|object)\b([^>]*)>/g)) {
    for (const [, link] of attributes.matchAll(/\s(?:href|src|srcset|data)="([^"]*)"/g)) {
      const url = unescaped(link)
      if (/^[a-z]+:|^\/\//.test(url)) {
        if (tag !== 'a' && !url.startsWith('data:')) faults.push(`${path.relative(dist, file)}: loads ${url}`)
      } else { links++; check(file, url) }
    }
  }
}
for (const file of walk(dist, '.css')) {
  for (const [, url] of fs.readFileSync(file, 'utf8').matchAll(/url\(["']?((?:https?:)?\/\/[^)"']+)/g)) faults.push(`${path.relative(dist, file)}: loads ${url}`)
}

const tasks = JSON.parse(fs.readFileSync(path.join(here, 'tasks.json'), 'utf8'))
for (const [task, link] of Object.entries(tasks)) {
  if (!link.includes('#')) faults.push(`task "${task}": the link has no anchor`)
  check(path.join(dist, 'tasks.json'), link)
}
if (Object.keys(tasks).length < 40) faults.push('fewer than 40 tasks')

let commands = 0
const listed = new Set(config.themeConfig.sidebar.flatMap(section => section.items.map(item => item.link.replace(/\/$/, '/index') + '.md')))
for (const page of walk(path.join(here, 'pages'), '.md')) {
  const name = '/' + path.relative(path.join(here, 'pages'), page)
  if (name !== '/index.md' && !listed.has(name)) faults.push(`${name}: not in the table of contents`)
  const text = fs.readFileSync(page, 'utf8')
  for (const block of text.matchAll(/^(.*)\n```sh$/gm)) {
    commands++
    const [, kind, by] = /^<!-- (run|not run): (.+?) -->$/.exec(block[1]) ?? []
    if (!kind) faults.push(`${name}: a command without "run: …" or "not run: …" before it`)
    if (kind === 'run' && !runs(by)) faults.push(`${name}: ${by} does not exist`)
  }
}
/** Returns the paths of the modules, from the root POM. */
function modules (root) {
  return [...fs.readFileSync(path.join(root, 'pom.xml'), 'utf8').matchAll(/<module>([^<]+)</g)].map(found => found[1])
}

/** Returns true if the script or test class exists. */
function runs (by) {
  const root = path.join(here, '..', '..')
  return by.includes('/') ? fs.existsSync(path.join(root, by))
    : modules(root).map(module => path.join(root, module, 'src/test/java')).some(tests => fs.existsSync(tests) &&
      fs.readdirSync(tests, { recursive: true }).some(file => path.basename(file) === `${by}.java`))
}

const search = await searchFaults()
search.misses.forEach(miss => console.error(miss))
faults.push(...search.faults)

if (html.length < 45) faults.push(`only ${html.length} pages`)
if (commands < 14) faults.push(`only ${commands} commands`)

faults.forEach(fault => console.error(fault))
console.log(`${html.length} pages, ${links} links, ${Object.keys(tasks).length} tasks, ${search.right} of ${search.count} search terms, ${commands} commands, ${faults.length} faults`)
process.exit(faults.length ? 1 : 0)
