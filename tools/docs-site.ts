// `npm run docs:site`: the guides and the reference as static pages that work without a server or a network.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { escaped, type Rendered, renderMarkdown } from './markdown.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A page of the site: its source, and its path in the site. */
interface Page {
  readonly source: string
  readonly target: string
  readonly section: string
}

const markdownIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .sort()
    .map(name => posix.join(folder, name))

function pagesOf(): Page[] {
  const plugins = readdirSync(join(root, 'plugins')).filter(name =>
    existsSync(join(root, 'plugins', name, 'README.md')),
  )
  return [
    { source: 'README.md', target: 'index.html', section: 'Guides' },
    ...markdownIn('docs').map(source => ({ source, target: htmlName(source), section: 'Guides' })),
    ...markdownIn('docs/reference').map(source => ({ source, target: htmlName(source), section: 'Reference' })),
    { source: 'sdk/README.md', target: htmlName('sdk/README.md'), section: 'Reference' },
    ...plugins.map(name => ({
      source: `plugins/${name}/README.md`,
      target: htmlName(`plugins/${name}/README.md`),
      section: 'Plugins',
    })),
    { source: 'CHANGELOG.md', target: htmlName('CHANGELOG.md'), section: 'Guides' },
  ]
}
const htmlName = (source: string) => source.replace(/\.md$/, '.html')

/** Writes the site into a folder and returns the paths of its pages. */
export function writeSite(folder: string): string[] {
  const pages = pagesOf()
  const targetOf = new Map(pages.map(({ source, target }) => [source, target]))
  rmSync(folder, { recursive: true, force: true })
  const rendered = pages.map(page => ({
    page,
    content: renderMarkdown(readFileSync(join(root, page.source), 'utf8'), target => linkFrom(page, target, targetOf)),
  }))
  const search = rendered.map(({ page, content }) => ({
    url: page.target,
    title: content.title,
    headings: content.headings.map(({ text, anchor }) => [text, anchor]),
    text: content.text,
  }))
  for (const { page, content } of rendered) {
    const path = join(folder, page.target)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, pageHtml(page, content, rendered))
  }
  // A script instead of JSON, because a page that is opened as a file may not fetch other files.
  writeFileSync(join(folder, 'search.js'), `window.orchSearch = ${JSON.stringify(search).replaceAll('<', '\\u003c')}\n`)
  writeFileSync(join(folder, 'site.js'), siteScript)
  writeFileSync(join(folder, 'site.css'), siteStyle)
  for (const name of readdirSync(join(root, 'docs')))
    if (/\.(svg|png)$/.test(name)) cpSync(join(root, 'docs', name), join(folder, 'docs', name))
  if (existsSync(join(root, 'docs/console')))
    cpSync(join(root, 'docs/console'), join(folder, 'docs/console'), { recursive: true })
  return pages.map(({ target }) => target)
}

/** Links to other pages refer to their HTML. Links to other files of the repository keep their targets, which are not part of the site. */
function linkFrom({ source, target: own }: Page, target: string, targetOf: ReadonlyMap<string, string>): string {
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target
  const [path = '', anchor] = target.split('#')
  const place = posix.join(posix.dirname(source), path)
  const found = targetOf.get(place) ?? targetOf.get(posix.join(place, 'README.md'))
  const suffix = anchor === undefined ? '' : `#${anchor}`
  return found === undefined
    ? `${posix.relative(posix.dirname(own), place) || '.'}${suffix}`
    : `${posix.relative(posix.dirname(own), found) || posix.basename(found)}${suffix}`
}

function pageHtml(
  page: Page,
  content: Rendered,
  all: readonly { readonly page: Page; readonly content: Rendered }[],
): string {
  const base = relative(dirname(page.target), '.') || '.'
  const sections = [...new Set(all.map(one => one.page.section))]
  const navigation = sections
    .map(section => {
      const links = all
        .filter(one => one.page.section === section)
        .map(
          one =>
            `<li><a href="${base}/${one.page.target}"${one.page === page ? ' aria-current="page"' : ''}>${escaped(one.content.title || one.page.source)}</a></li>`,
        )
      return `<h2>${section}</h2><ul>${links.join('')}</ul>`
    })
    .join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(content.title)} · orch</title>
<link rel="stylesheet" href="${base}/site.css">
</head>
<body data-base="${base}">
<nav aria-label="Pages"><a class="home" href="${base}/index.html">orch</a>
<label>Search <input type="search" id="search" autocomplete="off"></label><ol id="results" hidden></ol>
${navigation}</nav>
<main>${content.html}</main>
<script src="${base}/search.js"></script>
<script src="${base}/site.js"></script>
</body>
</html>
`
}

const siteScript = `const input = document.getElementById('search')
const results = document.getElementById('results')
const base = document.body.dataset.base
input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\\s+/).filter(word => word !== '')
  results.hidden = words.length === 0
  results.replaceChildren(...(words.length === 0 ? [] : find(words)))
})
/** Pages with all words, those with them in headings first. */
function find(words) {
  const scored = window.orchSearch.flatMap(page => {
    const text = page.text.toLowerCase()
    if (!words.every(word => text.includes(word))) return []
    const heading = page.headings.find(([title]) => words.every(word => title.toLowerCase().includes(word)))
    const at = Math.max(0, text.indexOf(words[0]) - 40)
    return [{ page, heading, around: page.text.slice(at, at + 120), score: heading ? 0 : 1 }]
  })
  return scored.sort((left, right) => left.score - right.score).slice(0, 12).map(({ page, heading, around }) => {
    const item = document.createElement('li')
    const link = document.createElement('a')
    link.href = base + '/' + page.url + (heading ? '#' + heading[1] : '')
    link.textContent = heading ? page.title + ': ' + heading[0] : page.title
    const about = document.createElement('p')
    about.textContent = around
    item.append(link, about)
    return item
  })
}
`

const siteStyle = `:root { color-scheme: light dark; --line: color-mix(in srgb, currentcolor 20%, transparent); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); font: 16px/1.55 system-ui, sans-serif; }
nav { padding: 1rem; border-right: 1px solid var(--line); height: 100vh; position: sticky; top: 0; overflow: auto; font-size: 0.9rem; }
nav ul, nav ol { list-style: none; padding: 0; margin: 0 0 1rem; }
nav h2 { font-size: 0.8rem; margin: 1rem 0 0.3rem; opacity: 0.7; }
nav a { display: block; padding: 0.15rem 0; color: inherit; text-decoration: none; }
nav a:hover, nav a:focus-visible { text-decoration: underline; }
nav a[aria-current] { font-weight: 700; }
.home { font-size: 1.2rem; font-weight: 700; }
#search { width: 100%; font: inherit; padding: 0.3rem; }
#results p { margin: 0 0 0.5rem; opacity: 0.75; overflow-wrap: anywhere; }
main { padding: 1.5rem 2rem 4rem; max-width: 60rem; }
pre { overflow: auto; padding: 0.8rem; border: 1px solid var(--line); border-radius: 6px; }
code { font: 0.9em ui-monospace, monospace; }
.table { overflow: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
@media (max-width: 48rem) { body { display: block; } nav { height: auto; position: static; border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; } }
`

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = join(root, 'dist/site')
  const pages = writeSite(folder)
  process.stdout.write(`${pages.length} pages: ${pathToFileURL(join(folder, 'index.html')).href}\n`)
}
