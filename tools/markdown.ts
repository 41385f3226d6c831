/** Renders the subset of Markdown that the guides use: headings, paragraphs, lists, tables, quotes, code and inline formatting. */

export interface Rendered {
  readonly html: string
  readonly title: string
  /** Headings with the anchors that links name. */
  readonly headings: readonly { readonly level: number; readonly text: string; readonly anchor: string }[]
  /** The text of the page, for the search. */
  readonly text: string
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const fence = /^(\s*)(```+|~~~+)(.*)$/
const heading = /^(#{1,6})\s+(.*?)\s*#*$/
const listItem = /^(\s*)([-*]|\d+\.)\s+(.*)$/

/** Renders a page; `link` returns the target of a link. */
export function renderMarkdown(source: string, link: (target: string) => string): Rendered {
  const headings: Rendered['headings'][number][] = []
  const lines = source.replaceAll('\r\n', '\n').split('\n')
  const inline = (text: string) => renderInline(text, link)
  const html = renderBlocks(lines, inline, (level, text) => {
    const plain = plainText(text)
    const anchor = anchorOf(plain)
    headings.push({ level, text: plain, anchor })
    return anchor
  })
  const title = headings.find(({ level }) => level === 1)?.text ?? ''
  return { html, title, headings, text: plainText(source) }
}

const plainText = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|#>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

type Inline = (text: string) => string
type Heading = (level: number, text: string) => string

function renderBlocks(lines: readonly string[], inline: Inline, addHeading: Heading): string {
  const parts: string[] = []
  let at = 0
  const takeWhile = (isPart: (line: string) => boolean): string[] => {
    const start = at
    while (at < lines.length && isPart(lines[at] ?? '')) at++
    return lines.slice(start, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const [, , marks, language = ''] = fence.exec(line) ?? []
    const [, signs, title = ''] = heading.exec(line) ?? []
    if (line.trim() === '') at++
    else if (marks !== undefined) {
      at++
      const code = takeWhile(one => !one.trimStart().startsWith(marks))
      at++
      parts.push(
        `<pre data-language="${escaped(language.trim().split(' ')[0] ?? '')}"><code>${escaped(code.join('\n'))}</code></pre>`,
      )
    } else if (signs !== undefined) {
      at++
      parts.push(`<h${signs.length} id="${addHeading(signs.length, title)}">${inline(title)}</h${signs.length}>`)
    } else if (/^(-{3,}|\*{3,})\s*$/.test(line)) {
      at++
      parts.push('<hr>')
    } else if (line.startsWith('|'))
      parts.push(
        renderTable(
          takeWhile(one => one.startsWith('|')),
          inline,
        ),
      )
    else if (line.startsWith('>')) {
      const quoted = takeWhile(one => one.startsWith('>')).map(one => one.replace(/^> ?/, ''))
      parts.push(`<blockquote>${renderBlocks(quoted, inline, addHeading)}</blockquote>`)
    } else if (listItem.test(line)) parts.push(renderList(takeList(), inline, addHeading))
    else if (/^ {4}\S/.test(line))
      parts.push(
        `<pre><code>${escaped(
          takeWhile(one => /^ {4}/.test(one) || one.trim() === '')
            .map(one => one.slice(4))
            .join('\n')
            .trimEnd(),
        )}</code></pre>`,
      )
    else parts.push(`<p>${inline(takeWhile(isParagraph).join('\n'))}</p>`)
  }
  return parts.join('\n')

  /** A list continues after a blank line if the next line is indented or another item. */
  function takeList(): string[] {
    const isNumbered = /^\s*\d/.test(lines[at] ?? '')
    /** An unindented item of the other kind (numbered or not) starts another list. */
    const isOwnItem = (one: string) => listItem.test(one) && (/^\s/.test(one) || /^\d/.test(one) === isNumbered)
    return takeWhile(one => {
      if (one.trim() !== '') return isOwnItem(one) || /^\s+\S/.test(one) || isParagraph(one)
      const next = lines[at + 1] ?? ''
      return isOwnItem(next) || /^\s{2,}\S/.test(next)
    })
  }
  function isParagraph(one: string): boolean {
    return (
      one.trim() !== '' &&
      !fence.test(one) &&
      !heading.test(one) &&
      !one.startsWith('|') &&
      !one.startsWith('>') &&
      !listItem.test(one)
    )
  }
}

function renderList(lines: readonly string[], inline: Inline, addHeading: Heading): string {
  const [, indent = '', mark = '-'] = listItem.exec(lines[0] ?? '') ?? []
  const items: string[][] = []
  for (const line of lines) {
    const [, own = '', , text = ''] = listItem.exec(line) ?? []
    if (listItem.test(line) && own.length <= indent.length) items.push([text])
    else
      items.at(-1)?.push(line.slice(Math.min(indent.length + mark.length + 1, line.length - line.trimStart().length)))
  }
  const tag = /\d/.test(mark) ? 'ol' : 'ul'
  const rendered = items.map(item => {
    const body = renderBlocks(item, inline, addHeading)
    // A single paragraph needs no <p>.
    return `<li>${/^<p>[\s\S]*<\/p>$/.test(body) && body.indexOf('<p>', 1) < 0 ? body.slice(3, -4) : body}</li>`
  })
  return `<${tag}>${rendered.join('')}</${tag}>`
}

function renderTable(lines: readonly string[], inline: Inline): string {
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\|/, '')
      .replace(/(?<!\\)\|$/, '')
      .split(/(?<!\\)\|/)
      .map(cell => cell.trim().replaceAll('\\|', '|'))
  const [header = '', , ...rows] = lines
  const row = (line: string, tag: string) =>
    `<tr>${cells(line)
      .map(cell => `<${tag}>${inline(cell)}</${tag}>`)
      .join('')}</tr>`
  return `<div class="table"><table><thead>${row(header, 'th')}</thead><tbody>${rows.map(line => row(line, 'td')).join('')}</tbody></table></div>`
}

/** Code is split off first, because its text is not formatted. */
function renderInline(text: string, link: (target: string) => string): string {
  return text
    .split(/(``[\s\S]*?``|`[^`]*`)/)
    .map((part, index) => {
      if (index % 2 === 1) return `<code>${escaped(part.replace(/^`+|`+$/g, ''))}</code>`
      return part
    })
    .reduce<string[]>((parts, part, index) => {
      // Links may contain code, so they are found in the joined text below.
      parts.push(index % 2 === 1 ? part : escaped(part))
      return parts
    }, [])
    .join('')
    .replace(
      /!\[([^\]]*)\]\(([^)\s]+)\)/g,
      (_, about: string, target: string) => `<img alt="${about}" src="${link(target)}">`,
    )
    .replace(
      /\[([^\]]*)\]\(([^)\s]+)\)/g,
      (_, words: string, target: string) => `<a href="${link(target)}">${words}</a>`,
    )
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(^|[\s(])\*([^*\s][^*]*)\*/g, '$1<em>$2</em>')
}
