// Opens the built site in headless Chromium: tests the search, the console, accessibility (axe-core) and the layout at three widths.
//
// usage: node browser.mjs [FOLDER]    FOLDER is for screenshots; CHROMIUM is the browser, by default /usr/bin/chromium
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import puppeteer from 'puppeteer-core'
import { searcher, terms } from './search.mjs'

const here = import.meta.dirname
const dist = path.join(here, 'dist')
const [folder] = process.argv.slice(2)
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.woff2': 'font/woff2', '.png': 'image/png' }
const SEARCHES = { cookie: '/guide/cookies', upload: '/guide/forms', next: '/guide/middleware', 'trust proxy': '/guide/deployment' }
const SHOTS = {
  home: '/', start: '/start/', routing: '/guide/routing.html', replicas: '/guide/replicas.html', deployment: '/guide/deployment.html',
  static: '/guide/static-files.html', live: '/guide/live.html', express: '/from/express.html', settings: '/reference/settings.html',
  limits: '/reference/limits.html', comparison: '/reference/comparison.html', reference: '/api/index.html'
}
const WIDTHS = [390, 768, 1200]
// Code of this width must not scroll. On narrow screens it wraps.
const COLUMNS = 100
const faults = []
if (folder) fs.mkdirSync(folder, { recursive: true })

const server = http.createServer((req, res) => {
  const { pathname } = new URL(req.url, 'http://localhost')
  const file = path.join(dist, decodeURIComponent(pathname), pathname.endsWith('/') ? 'index.html' : '')
  if (!file.startsWith(dist) || !fs.existsSync(file) || fs.statSync(file).isDirectory()) return res.writeHead(404).end()
  res.writeHead(200, { 'Content-Type': `${TYPES[path.extname(file)] ?? 'text/plain'}; charset=utf-8` }).end(fs.readFileSync(file))
}).listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
const base = `http://127.0.0.1:${server.address().port}`

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'], protocolTimeout: 300_000 })
const axe = fs.readFileSync(path.join(here, 'node_modules/axe-core/axe.min.js'), 'utf8')

async function open (url, width = 1200) {
  const page = await browser.newPage()
  page.setDefaultTimeout(120_000)
  page.on('console', message => { if (message.type() === 'error') faults.push(`${url}: console: ${message.text()} ${message.location()?.url ?? ''}`) })
  page.on('pageerror', error => faults.push(`${url}: ${error.message}`))
  page.on('request', request => { if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) faults.push(`${url}: loads ${request.url()}`) })
  await page.setViewport({ width, height: 900 })
  await page.goto(base + url, { waitUntil: 'networkidle0' })
  return page
}

/** Searches for each text. One of the first eight results must be on the expected page. */
async function search (searches) {
  const page = await open('/')
  await page.click('#local-search button, .DocSearch-Button')
  const input = await page.waitForSelector('#localsearch-input')
  for (const [words, wanted] of Object.entries(searches)) {
    await input.click({ clickCount: 3 })
    await input.type(words)
    await page.waitForFunction(() => document.querySelectorAll('.VPLocalSearchBox .results a').length > 0)
    await new Promise(resolve => setTimeout(resolve, 500))
    const found = await page.$$eval('.VPLocalSearchBox .results a', links => links.slice(0, 8).map(link => link.getAttribute('href')))
    if (!found.some(link => link.startsWith(wanted))) faults.push(`search "${words}": ${wanted} is not among ${found.join(' ')}`)
  }
  await page.close()
}

/** Compares the first result of every tenth term with that of search.mjs. */
async function compare () {
  const expected = await searcher()
  const page = await open('/')
  await page.click('#local-search button, .DocSearch-Button')
  const input = await page.waitForSelector('#localsearch-input')
  for (const [words] of terms().filter((term, index) => index % 10 === 0)) {
    await input.click({ clickCount: 3 })
    await input.type(words)
    await page.waitForFunction(() => document.querySelectorAll('.VPLocalSearchBox .results a').length > 0)
    await new Promise(resolve => setTimeout(resolve, 500))
    const found = await page.$eval('.VPLocalSearchBox .results a', link => link.getAttribute('href'))
    if (found !== expected(words)[0]) faults.push(`search "${words}": ${found} is first, search.mjs expects ${expected(words)[0]}`)
  }
  await input.click({ clickCount: 3 })
  await input.type('session')
  await new Promise(resolve => setTimeout(resolve, 1000))
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: 900 })
    if (folder) await page.screenshot({ path: path.join(folder, `search-${width}.png`) })
  }
  await page.close()
}

/** Returns the tables that scroll. */
function scrollingTables (page) {
  return page.evaluate(() => [...document.querySelectorAll('.vp-doc table')]
    .filter(table => table.scrollWidth > table.clientWidth + 1).map(table => table.innerText.split('\n')[0]))
}

/** Returns the code blocks that scroll although none of their lines has more than a number of columns. */
function scrolling (page, columns) {
  return page.evaluate(columns => [...document.querySelectorAll('.vp-doc pre')]
    .filter(pre => pre.scrollWidth > pre.clientWidth && pre.innerText.split('\n').every(line => line.length <= columns))
    .map(pre => pre.innerText.split('\n')[0]), columns)
}

async function audit (url) {
  const page = await open(url)
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  for (const one of violations) faults.push(`${url}: axe: ${one.id}: ${one.nodes.length} × ${one.nodes[0].html.slice(0, 160)}`)
  await page.close()
}

const tasks = Object.entries(JSON.parse(fs.readFileSync(path.join(here, 'tasks.json'), 'utf8')))
await search(SEARCHES)
await compare()
await search(Object.fromEntries(tasks.map(([task, link]) => [task, link.split('.html')[0].replace(/index$/, '')])))
const pages = ['/', '/start/', '/guide/routing.html', '/guide/performance.html', '/guide/responses.html', '/reference/settings.html', '/reference/comparison.html', '/from/express.html']
for (const url of pages) await audit(url)
const shots = Object.entries(SHOTS).filter(([, url]) => fs.existsSync(path.join(dist, url.endsWith('/') ? url + 'index.html' : url)))
for (const [name, url] of shots) {
  for (const width of WIDTHS) {
    const page = await open(url, width)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (wide > 0) faults.push(`${url} at ${width}: ${wide} pixels too wide`)
    for (const line of await scrollingTables(page)) faults.push(`${url} at ${width}: table scrolls: ${line}`)
    for (const line of await scrolling(page, COLUMNS)) faults.push(`${url} at ${width}: code scrolls: ${line}`)
    if (folder) await page.screenshot({ path: path.join(folder, `${name}-${width}.png`), fullPage: !url.startsWith('/api/') })
    await page.close()
  }
}

await browser.close()
server.close()
faults.forEach(fault => console.error(fault))
console.log(`${pages.length} pages audited, ${Object.keys(SEARCHES).length + tasks.length} searches, ${shots.length * WIDTHS.length} views, ${faults.length} faults`)
process.exit(faults.length ? 1 : 0)
