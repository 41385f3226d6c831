import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { writeSite } from '../../tools/docs-site.js'
import { renderMarkdown } from '../../tools/markdown.js'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'

const site = suite('the site of the docs')
let folder: Folder
let pages: string[]
site.before(() => {
  folder = temporaryFolder()
  pages = writeSite(join(folder.path, 'site'))
})
site.after(() => folder.remove())
const read = (page: string) => readFileSync(join(folder.path, 'site', page), 'utf8')

site('has a page for every guide, and the reference', () => {
  const guides = readdirSync(new URL('../../../docs/', import.meta.url)).filter(name => name.endsWith('.md'))
  assert.equal(
    guides.filter(name => !pages.includes(`docs/${name.replace('.md', '.html')}`)),
    [],
  )
  assert.ok(pages.some(page => page.startsWith('docs/reference/')))
  assert.match(read('index.html'), /<h1 id="orch">orch<\/h1>/)
})

site('links from page to page, and to headings that are there', () => {
  const wrong = pages.flatMap(page =>
    [...read(page).matchAll(/href="([^"]+\.html)(?:#([^"]+))?"/g)].flatMap(([, target = '', anchor]) => {
      if (/^[a-z]+:/.test(target)) return []
      const path = join(folder.path, 'site', dirname(page), target)
      if (!existsSync(path)) return [`${page}: ${target}`]
      const isThere = anchor === undefined || readFileSync(path, 'utf8').includes(`id="${anchor}"`)
      return isThere ? [] : [`${page}: ${target}#${anchor}`]
    }),
  )
  assert.equal(wrong, [])
})

site('needs no network: nothing is loaded from elsewhere', () => {
  for (const page of pages)
    assert.not.match(read(page), /<(script|link|img|iframe)[^>]+(src|href)="(https?:)?\/\//, page)
})

site('finds pages by their words', () => {
  const text = read('search.js')
  const index = JSON.parse(text.slice('window.orchSearch = '.length)) as { url: string; text: string }[]
  assert.ok(index.some(({ url, text: words }) => url === 'docs/orchctl.html' && words.includes('kustomize')))
  assert.is(index.length, pages.length)
})

site('renders what the guides are written in, and nothing as HTML that is text', () => {
  const { html } = renderMarkdown(
    '# A `b`\n\nOne **two** [three](x.md) <script>\n\n- a\n  - b\n- c\n\n1. x\n\n| h | i |\n| - | - |\n| `a\\|b` | c |\n\n```sh run\nls <x>\n```\n\n> q\n',
    target => target.replace('.md', '.html'),
  )
  assert.match(html, '<h1 id="a-b">A <code>b</code></h1>')
  assert.match(html, '<p>One <strong>two</strong> <a href="x.html">three</a> &lt;script&gt;</p>')
  assert.match(html, '<ul><li><p>a</p>')
  assert.match(html, '<li>b</li>')
  assert.match(html, '<ol><li>x</li></ol>')
  assert.match(html, '<td><code>a|b</code></td><td>c</td>')
  assert.match(html, '<pre data-language="sh"><code>ls &lt;x&gt;</code></pre>')
  assert.match(html, '<blockquote><p>q</p></blockquote>')
})

site.run()
