// Opens the pages in headless Chromium, sends a request like a user, and takes screenshots.
import fs from 'node:fs'
import path from 'node:path'
import puppeteer from 'puppeteer-core'

const WIDTHS = [1200, 390]

async function open (browser, server, width, faults) {
  const page = await browser.newPage()
  const say = text => faults.push(`${server.name} at ${width}: ${text}`)
  page.setDefaultTimeout(120_000)
  page.on('console', message => { if (message.type() === 'error') say(`console: ${message.text()} ${message.location()?.url ?? ''}`) })
  page.on('pageerror', error => say(error.message))
  page.on('request', request => { if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) say(`loads ${request.url()}`) })
  await page.setViewport({ width, height: 900, isMobile: width < 600, hasTouch: width < 600 })
  await page.goto(`${server.url}/docs`, { waitUntil: 'networkidle0' })
  await page.waitForSelector('.opblock')
  const errors = await page.$$eval('.errors-wrapper .error', all => all.map(one => one.textContent))
  errors.forEach(say)
  return page
}

/** Opens an operation, sends its example, and returns the response that the page shows. */
async function tryOut (page, id, button) {
  const block = `[id$="${id}"]`
  // Opening an element moves the ones below, so elements are clicked by reference, not by position.
  for (const step of ['.opblock-summary-control', button, '.execute']) {
    const element = await page.waitForSelector(`${block} ${step}`)
    await element.evaluate(one => one.click())
  }
  await page.waitForSelector(`${block} .live-responses-table .response-col_status`)
  await page.waitForFunction(selector => document.querySelector(selector)?.textContent.length > 3, {}, `${block} .live-responses-table .highlight-code`)
  return page.$eval(`${block} .live-responses-table`, table => table.innerText)
}

async function look (page, folder, name, width, faults) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (wide > 0) faults.push(`${name} at ${width}: ${wide} pixels too wide`)
  await page.screenshot({ path: path.join(folder, `${name}-${width}.png`) })
}

/** Returns the faults of the pages. */
export async function browse (servers, folder) {
  const faults = []
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'], protocolTimeout: 300_000
  })
  try {
    for (const server of servers) {
      for (const width of WIDTHS) {
        const page = await open(browser, server, width, faults)
        await look(page, folder, `${server.name}-docs`, width, faults)
        if (server.name === 'catalog') {
          const shown = await tryOut(page, '-postBooks', '.try-out__btn')
          if (!/201[\s\S]*"title": "Emma"/.test(shown)) faults.push(`unexpected response shown: ${shown}`)
          await page.$eval('[id$="-postBooks"] .live-responses-table', table => table.scrollIntoView({ block: 'center' }))
          await look(page, folder, 'catalog-answer', width, faults)
        }
        await page.close()
      }
    }
  } finally {
    await browser.close()
  }
  fs.readdirSync(folder).filter(name => name.endsWith('.png')).forEach(name => console.log(path.join(folder, name)))
  return faults
}
