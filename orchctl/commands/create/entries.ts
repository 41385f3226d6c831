import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { FlagDefinition, Flags } from '../../arguments/flags.js'
import { readFile, reading } from '../../read-file.js'
import { UsageError } from '../../usage-error.js'

/** Flags for the entries of a ConfigMap or Secret. */
export const entryFlags: readonly FlagDefinition[] = [
  { name: 'from-literal', kind: 'list', value: 'KEY=VALUE', description: 'an entry' },
  {
    name: 'from-file',
    kind: 'list',
    value: '[KEY=]FILE',
    description: 'an entry with the contents of a file, or one for every file of a folder',
  },
  { name: 'from-env-file', kind: 'list', value: 'FILE', description: 'an entry for every KEY=VALUE line of a file' },
]

export const appendHashFlag: FlagDefinition = {
  name: 'append-hash',
  kind: 'switch',
  description: 'append a hash of the contents to the name',
}

/** Reads the entries that the flags name. A repeated key is an error. */
export function readEntries(flags: Flags): Map<string, Buffer> {
  const entries = new Map<string, Buffer>()
  const add = (key: string, value: Buffer) => {
    if (entries.has(key)) throw new UsageError(`duplicate key "${key}"`)
    entries.set(key, value)
  }
  for (const literal of flags.list('from-literal')) {
    const [key, value] = pairOf(literal, '--from-literal')
    add(key, Buffer.from(value))
  }
  for (const source of flags.list('from-file')) {
    const [key, path] = source.includes('=') ? pairOf(source, '--from-file') : [undefined, source]
    for (const [name, file] of filesOf(path, key)) add(name, readFile(file))
  }
  for (const path of flags.list('from-env-file'))
    for (const line of readFile(path).toString('utf8').split(/\r?\n/)) {
      const text = line.trimStart()
      if (text === '' || text.startsWith('#')) continue
      const [key, value] = pairOf(text, path)
      add(key, Buffer.from(value))
    }
  return entries
}

function pairOf(text: string, where: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`${where} needs KEY=VALUE, not "${text}"`)
  return [text.slice(0, at), text.slice(at + 1)]
}

/** A folder yields an entry for each of its files, without subfolders. */
function filesOf(path: string, key: string | undefined): [string, string][] {
  if (!reading(path, () => statSync(path)).isDirectory()) return [[key ?? basename(path), path]]
  if (key !== undefined)
    throw new UsageError(`${path} is a folder: leave out "${key}=", the keys are the names of its files`)
  return readdirSync(path, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }): [string, string] => [name, join(path, name)])
    .sort(([left], [right]) => (left < right ? -1 : 1))
}
