import { defineConfig } from 'vitepress'

// The table of contents.
const guide = [
  ['Routing', 'routing'], ['Middleware and errors', 'middleware'], ['Requests', 'requests'], ['Responses', 'responses'],
  ['Input by type', 'input'], ['JSON', 'json'], ['Forms and uploads', 'forms'], ['Cookies', 'cookies'], ['Views', 'views'],
  ['Static files', 'static-files'], ['Sessions', 'sessions'], ['Security', 'security'], ['Live connections', 'live'], ['Described routes', 'described'],
  ['Logging', 'logging'], ['See what happens', 'insight'], ['Testing', 'testing'],
  ['Deployment', 'deployment'], ['On several machines', 'replicas'], ['HTTP/2', 'http2'], ['Threads', 'threads'], ['Servlet containers', 'servlets'], ['Performance', 'performance']
]
const recipes = [
  ['A webhook with its signature', 'webhook'], ['A single-page application', 'single-page-application'], ['JWT', 'jwt'], ['Login by OpenID Connect', 'oidc'], ['GraphQL', 'graphql'], ['Jobs', 'jobs'],
  ['Several languages', 'languages'], ['Caching', 'caching'], ['Behind nginx', 'behind-nginx']
]
const from = [['Express 3, 4 and 5', 'express'], ['An afternoon\'s port', 'porting'], ['Javalin', 'javalin'], ['Spark', 'spark'], ['Spring MVC', 'spring-mvc']]
const reference = [
  ['Settings', 'settings'], ['Limits and time-outs', 'limits'], ['Defaults that differ', 'defaults'], ['Mistakes', 'mistakes'],
  ['Modules', 'modules'], ['Versions', 'versions'], ['Comparison', 'comparison']
]
const section = (text, folder, pages) => ({ text, items: pages.map(([text, page]) => ({ text, link: `/${folder}/${page}` })) })

// Readers ask in sentences: what every page has in it says nothing, a long page is no better one, and only long words may be misspelt.
const found = {
  options: {
    processTerm: term => /^(an?|and|are|as|at|be|by|for|from|has|have|how|in|into|is|it|its|of|on|one|or|that|the|there|this|to|what|with)$/i.test(term) ? null : term.toLowerCase().replace(/'s$/, '')
  },
  searchOptions: {
    fuzzy: term => term.length > 5 ? 0.2 : false,
    prefix: term => term.length > 3,
    boost: { title: 6, titles: 2, text: 1 },
    bm25: { k: 0.8, b: 1, d: 0.1 }
  }
}

export default defineConfig({
  title: 'Percolate',
  description: 'A web middleware stack for Java: logger, body parsers and an application framework in one ordered chain.',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' }]],
  // The front page of the theme has no main landmark.
  transformHtml: code => code.replace('class="VPContent is-home"', 'class="VPContent is-home" role="main"'),
  lastUpdated: false,
  // The API reference is laid beside the pages when all are built.
  ignoreDeadLinks: [/^\/api\//],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config (md) {
      // A wide table or a listing scrolls by the keyboard, too.
      const open = md.renderer.rules.table_open ?? ((tokens, i, options, env, self) => self.renderToken(tokens, i, options))
      md.renderer.rules.table_open = (tokens, i, ...rest) => {
        tokens[i].attrSet('tabindex', '0')
        return open(tokens, i, ...rest)
      }
    }
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: found } },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/start/' }, { text: 'Guide', link: '/guide/routing' }, { text: 'Recipes', link: '/recipes/webhook' },
      { text: 'Coming from', link: '/from/express' }, { text: 'Reference', link: '/reference/settings' }, { text: 'API', link: '/api/index.html', target: '_self' }
    ],
    sidebar: [
      { text: 'Start', items: [{ text: 'Three ways', link: '/start/' }, { text: 'Examples and the demo', link: '/start/examples' }] },
      section('Guide', 'guide', guide), section('Recipes', 'recipes', recipes), section('Coming from', 'from', from), section('Reference', 'reference', reference),
      { text: 'API', items: [{ text: 'All classes', link: '/api/index.html', target: '_self' }] }
    ]
  }
})
