// Writes dist/llms.txt, the list of all pages with a sentence about each, and dist/llms-full.txt, their text with all snippets.
import fs from 'node:fs'
import path from 'node:path'
import config from './.vitepress/config.mjs'

const here = import.meta.dirname
const place = link => path.join(here, 'pages', link.endsWith('/') ? link + 'index.md' : link + '.md')

function text (file) {
  const source = fs.readFileSync(file, 'utf8')
  return source
    .replace(/^<!--@include: (.+)-->$/gm, (all, name) => fs.readFileSync(path.resolve(path.dirname(file), name.trim()), 'utf8'))
    .replace(/^<<< @\/(\S+?)(?:#([\w-]+))?\{(\w+)\}$/gm, (all, name, region, language) =>
      '```' + language + '\n' + snippet(path.resolve(here, 'pages', name), region) + '\n```')
    .replace(/^<!--.*?-->\n?/gms, '')
}

function snippet (file, region) {
  let lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  if (region) {
    const [from, to] = ['#region', '#endregion'].map(word => lines.findIndex(line => [`// ${word} ${region}`, `<!-- ${word} ${region} -->`].includes(line.trim())))
    if (from < 0 || to < 0) throw new Error(`${file}: no region ${region}`)
    lines = lines.slice(from + 1, to)
  }
  const indent = Math.min(...lines.filter(line => line.trim()).map(line => line.length - line.trimStart().length))
  return lines.map(line => line.slice(indent)).join('\n').trim()
}

/** Returns the first sentence of the page. */
const about = page => (page.split('\n').find(line => /^[A-Z`]/.test(line)) ?? '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').split(/(?<=[.:]) /)[0]

const { title, description, themeConfig } = config
let [list, full] = [`# ${title}\n\n> ${description}\n`, `# ${title}\n\n${description}\n`]
for (const { text: section, items } of themeConfig.sidebar) {
  const pages = items.filter(item => !item.target)
  if (!pages.length) continue
  list += `\n## ${section}\n\n`
  for (const item of pages) {
    const page = text(place(item.link))
    list += `- [${item.text}](${item.link.replace(/\/$/, '/index')}.html): ${about(page)}\n`
    full += `\n${page.trim()}\n`
  }
}
list += `\n## API\n\n- [All classes](/api/index.html): the Javadoc of all modules\n- [The text of all pages](/llms-full.txt)\n`
fs.writeFileSync(path.join(here, 'dist', 'llms.txt'), list)
fs.writeFileSync(path.join(here, 'dist', 'llms-full.txt'), full)
