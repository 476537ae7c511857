// Searches the built site for each term of search-terms.txt, with the index and the options of the page. A term is right if
// its first result is on one of its pages.
//
// usage: node search.mjs    prints the terms that are not right, with their first results
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { found } from './.vitepress/config.mjs'

const here = import.meta.dirname
const LEAST = 95

/** Returns a function that searches as the page does: it returns the links of the results, the best one first. */
export async function searcher () {
  const chunks = path.join(here, 'dist/assets/chunks')
  const [file, ...more] = fs.readdirSync(chunks).filter(name => name.startsWith('@localSearchIndex'))
  if (!file || more.length) throw new Error('expected one search index in dist/assets/chunks')
  const { default: json } = await import(pathToFileURL(path.join(chunks, file)))
  // As in VPLocalSearchBox.vue of VitePress; browser.mjs compares the results.
  const index = MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...found.searchOptions },
    ...found.options
  })
  return words => index.search(words).map(result => result.id)
}

/** Returns the terms with the pages that are right for them. */
export function terms () {
  return fs.readFileSync(path.join(here, 'search-terms.txt'), 'utf8').trimEnd().split('\n').map(line => {
    const [term, pages] = line.split('\t')
    return [term, pages.split(',')]
  })
}

/** Searches for all terms. Returns the number of right ones, and the faults. */
export async function searchFaults () {
  const search = await searcher()
  const faults = []
  const misses = []
  for (const [term, pages] of terms()) {
    for (const page of pages) {
      if (!fs.existsSync(path.join(here, 'pages', page.endsWith('/') ? page + 'index.md' : page + '.md'))) faults.push(`search-terms.txt: no page ${page}`)
    }
    const links = search(term)
    if (!pages.includes(links[0]?.replace(/(\.html)?(#.*)?$/, ''))) misses.push(`search "${term}": ${pages.join(' or ')} is not first of ${links.slice(0, 3).join(' ')}`)
  }
  const count = terms().length
  if (count < 100) faults.push(`search-terms.txt: only ${count} terms`)
  if ((count - misses.length) / count < LEAST / 100) faults.push(`search: only ${count - misses.length} of ${count} terms are right`)
  return { right: count - misses.length, count, faults, misses }
}

if (process.argv[1] === import.meta.filename) {
  const { right, count, faults, misses } = await searchFaults()
  for (const line of [...misses, ...faults]) console.error(line)
  console.log(`${right} of ${count} terms are right`)
  process.exit(faults.length ? 1 : 0)
}
