import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './served-types.js'
import type { Source } from './sources.js'
import { root } from './sources.js'

/** A difference as it is declared. */
export interface DeclaredDifference {
  readonly name: string
  readonly since: string
  readonly until: string
  readonly knownFrom: string
  readonly description: string
  readonly path: string
}

export const versionsPage = join(root, 'docs/versions.md')
const [start, end] = ['<!-- differences: written by npm run api -->', '<!-- end of differences -->']

/** Every `defineDifference({ ... })` of the code, by name. */
export function declaredDifferences(sources: readonly Source[]): DeclaredDifference[] {
  return sources
    .filter(({ isTest, path }) => !isTest && !path.startsWith('test/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/defineDifference\(\{([\s\S]*?)\n\s*\}\)/g)].map(([, body = '']) => ({
        name: textOf(body, 'name'),
        since: textOf(body, 'since'),
        until: textOf(body, 'until'),
        knownFrom: textOf(body, 'knownFrom'),
        description: textOf(body, 'description'),
        path,
      })),
    )
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** The text of a key, which may be joined from several lines, in either kind of quotes. */
function textOf(body: string, key: string): string {
  const [, value = ''] =
    new RegExp(`\\b${key}:\\s*((?:'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*"|\\s|\\+)+)`).exec(body) ?? []
  const parts = value.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g) ?? []
  return parts.map(part => part.slice(1, -1).replace(/\\(.)/g, '$1')).join('')
}

/** The page with the current table. */
export function versionsText(page: string, differences: readonly DeclaredDifference[]): string {
  const inOrder = (version: string) => version.padStart(longestVersion)
  const rows = [...differences]
    .sort((left, right) => inOrder(left.since).localeCompare(inOrder(right.since)) || (left.name < right.name ? -1 : 1))
    .map(({ name, since, until, knownFrom, description }) => [
      lifespanText(since, until),
      `\`${name}\``,
      description.replaceAll('|', '\\|'),
      knownFrom,
    ])
  const [before, rest = ''] = page.split(start)
  const after = rest.slice(rest.indexOf(end))
  return `${before}${start}\n\n${table(['Versions', 'Difference', 'What servers of these versions do', 'Known from'], rows)}\n\n${after}`
}
const longestVersion = '1.36'.length

const lifespanText = (since: string, until: string): string =>
  since ? `${since}${until ? ` to ${until}` : ''}` : `until ${until}`

export const readVersionsPage = () => readFileSync(versionsPage, 'utf8')
