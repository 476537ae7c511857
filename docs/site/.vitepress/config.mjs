import { defineConfig } from 'vitepress'

// The table of contents.
const guide = [
  ['Routing', 'routing'], ['Middleware and errors', 'middleware'], ['Requests', 'requests'], ['Responses', 'responses'],
  ['Typed input and validation', 'input'], ['JSON', 'json'], ['Forms and file uploads', 'forms'], ['Cookies', 'cookies'],
  ['Views and templates', 'views'], ['Static files', 'static-files'], ['Sessions', 'sessions'], ['Security', 'security'],
  ['Authentication', 'auth'], ['Databases', 'databases'],
  ['WebSockets and SSE', 'live'], ['Rooms and presence', 'rooms'], ['OpenAPI and validation', 'described'], ['Access log and logging', 'logging'],
  ['Hot reload', 'development'], ['Inspector, health, metrics', 'insight'], ['Coding agents (MCP)', 'agents'],
  ['Testing', 'testing'], ['Deployment', 'deployment'],
  ['Several servers', 'replicas'], ['Memory, PostgreSQL or Redis', 'stores'], ['Overload and load shedding', 'overload'],
  ['Capacity and operations', 'operators'], ['HTTP/2', 'http2'], ['Threads', 'threads'],
  ['Servlet containers and Spring', 'servlets'], ['Performance', 'performance']
]
const tutorial = [
  ['1 Start', ''], ['2 Records and validation', 'validation'], ['3 A database', 'database'], ['4 Login', 'login'], ['5 Tests', 'tests'],
  ['6 Deployment', 'deployment']
]
const recipes = [
  ['Webhooks with a signature', 'webhook'], ['Single-page application', 'single-page-application'], ['htmx', 'htmx'],
  ['JWT', 'jwt'],
  ['OpenID Connect', 'oidc'], ['GraphQL', 'graphql'], ['Background jobs', 'jobs'], ['Languages (i18n)', 'languages'],
  ['Caching', 'caching'], ['Configuration', 'configuration'], ['Mail', 'mail'], ['Passkeys', 'passkeys'], ['OpenTelemetry', 'opentelemetry'],
  ['Behind nginx', 'behind-nginx']
]
const from = [
  ['Express 3, 4 and 5', 'express'], ['Port an Express application', 'porting'], ['Javalin', 'javalin'], ['Spark', 'spark'],
  ['Spring MVC', 'spring-mvc']
]
const reference = [
  ['Settings', 'settings'], ['Limits and timeouts', 'limits'], ['Defaults that differ', 'defaults'], ['Mistakes', 'mistakes'],
  ['Modules and artifacts', 'modules'], ['Versions and support', 'versions'], ['Comparison', 'comparison']
]
const section = (text, folder, pages) => ({ text, items: pages.map(([text, page]) => ({ text, link: `/${folder}/${page}` })) })

// Readers search with sentences. Words that are on every page are ignored, singular and plural are the same word, long
// pages get no higher rank, and only long words may be misspelt. The beginning of a page ranks higher than its sections,
// and the guide higher than the tutorial.
// The browser gets the text of each function, so functions must not use other names of this file.
export const found = {
  options: {
    processTerm: term => {
      const word = term.toLowerCase().replace(/'s$/, '')
      if (/^(an?|and|are|as|at|be|by|for|from|has|have|how|in|into|is|it|its|of|on|one|or|that|the|there|this|to|what|with)$/.test(word)) return null
      return word.length > 4 && word !== 'https' && /[^isu]s$/.test(word) ? word.slice(0, -1) : word
    }
  },
  searchOptions: {
    fuzzy: term => term.length > 5 ? 0.2 : false,
    prefix: term => term.length > 3,
    weights: { fuzzy: 0.1, prefix: 0.375 },
    boost: { title: 6, titles: 2, text: 1 },
    bm25: { k: 0.8, b: 1, d: 0.1 },
    boostDocument: (id, term, stored) => (stored.titles.length ? 1 : 1.15) * (id.startsWith('/tutorial/') ? 0.7 : 1)
  }
}

export default defineConfig({
  title: 'Percolate',
  description: 'A web framework for Java in the style of Express: request logger, body parsers and application framework.',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  // The home page of the theme has no main landmark.
  transformHtml: code => code.replace('class="VPContent is-home"', 'class="VPContent is-home" role="main"'),
  lastUpdated: false,
  // The API reference is added after the pages are built.
  ignoreDeadLinks: [/^\/api\//],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config (md) {
      // Wide tables can be scrolled with the keyboard.
      const open = md.renderer.rules.table_open ?? ((tokens, i, options, env, self) => self.renderToken(tokens, i, options))
      md.renderer.rules.table_open = (tokens, i, ...rest) => {
        tokens[i].attrSet('tabindex', '0')
        return open(tokens, i, ...rest)
      }
      // On narrow screens, each cell has its own line, with the name of its column (layout.css).
      md.core.ruler.push('column-names', ({ tokens }) => {
        let names = []
        let column = 0
        tokens.forEach((token, i) => {
          if (token.type === 'thead_open') names = []
          if (token.type === 'th_open') names.push(tokens[i + 1].content.replace(/[`*]/g, ''))
          if (token.type === 'tr_open') column = 0
          if (token.type === 'td_open') token.attrSet('data-column', names[column++] ?? '')
        })
      })
    }
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: found } },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/start/' }, { text: 'Tutorial', link: '/tutorial/' }, { text: 'Guide', link: '/guide/routing' }, { text: 'Recipes', link: '/recipes/webhook' },
      { text: 'Coming from', link: '/from/express' }, { text: 'Reference', link: '/reference/settings' }, { text: 'API', link: '/api/index.html', target: '_self' }
    ],
    sidebar: [
      { text: 'Start', items: [{ text: 'Get started', link: '/start/' }, { text: 'Examples and the demo', link: '/start/examples' },
        { text: 'Conduit (RealWorld)', link: '/start/conduit' }, { text: 'Kotlin', link: '/start/kotlin' }] },
      section('Tutorial', 'tutorial', tutorial),
      section('Guide', 'guide', guide), section('Recipes', 'recipes', recipes), section('Coming from', 'from', from), section('Reference', 'reference', reference),
      { text: 'API', items: [{ text: 'All classes', link: '/api/index.html', target: '_self' }] }
    ]
  }
})
