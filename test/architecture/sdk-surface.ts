import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './sources.js'

/** The committed list of everything that a plugin may import. */
export const surfaceFile = join(root, 'sdk/api.txt')
export const shelves = [
  'admission',
  'client',
  'controllers',
  'core',
  'expressions',
  'files',
  'host',
  'identity',
  'proposed',
  'server',
  'validation',
  'testing',
]
const doors = {
  'orch/sdk': 'dist/sdk/index.d.ts',
  ...Object.fromEntries(shelves.map(name => [`orch/sdk/${name}`, `dist/sdk/${name}/index.d.ts`])),
}

/** The list, derived from the compiled declarations. */
export function describeSurface(): string {
  const lines = Object.entries(doors).flatMap(([door, file]) =>
    [...exportsOf(join(root, file))].sort().map(name => `${door} ${name}`),
  )
  return `${lines.join('\n')}\n`
}

function exportsOf(file: string): Set<string> {
  if (!existsSync(file)) return new Set()
  const text = readFileSync(file, 'utf8')
  const found = new Set<string>()
  for (const [, from = ''] of text.matchAll(/^export \* from '([^']+)';?$/gm))
    for (const name of exportsOf(join(dirname(file), from.replace(/\.js$/, '.d.ts')))) found.add(name)
  for (const [, kind = '', name] of text.matchAll(
    /^export (?:declare )?(?:abstract )?(const|function|class|interface|type) (\w+)/gm,
  ))
    found.add(`${kind === 'interface' ? 'type' : kind} ${name}`)
  for (const [, areTypes, list = ''] of text.matchAll(/^export (type )?\{([^}]*)\}/gm))
    for (const entry of list
      .split(',')
      .map(part => part.trim())
      .filter(Boolean)) {
      const name = entry
        .replace(/^type /, '')
        .split(' as ')
        .at(-1)
      found.add(`${areTypes || entry.startsWith('type ') ? 'type' : 'const'} ${name}`)
    }
  return found
}
