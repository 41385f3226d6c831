import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import type { ApiObject } from 'orch/sdk'
import { readFile } from '../../read-file.js'
import { UsageError } from '../../usage-error.js'

/** An entry of configMapGenerator or secretGenerator. */
export interface GeneratorArgs {
  readonly name: string
  readonly namespace?: string
  readonly type?: string
  readonly behavior?: 'create' | 'merge' | 'replace'
  readonly literals?: readonly string[]
  readonly files?: readonly string[]
  readonly envs?: readonly string[]
  readonly env?: string
  readonly options?: GeneratorOptions
}
export interface GeneratorOptions {
  readonly labels?: Record<string, string>
  readonly annotations?: Record<string, string>
  readonly disableNameSuffixHash?: boolean
  readonly immutable?: boolean
}

/** The object that an entry generates. */
export function generated(
  kind: 'ConfigMap' | 'Secret',
  folder: string,
  args: GeneratorArgs,
  shared: GeneratorOptions,
): ApiObject {
  const { labels, annotations, immutable } = {
    ...shared,
    ...args.options,
    labels: { ...shared.labels, ...args.options?.labels },
    annotations: { ...shared.annotations, ...args.options?.annotations },
  }
  const entries = entriesOf(folder, args)
  const text = new Map<string, string>()
  const bytes = new Map<string, string>()
  for (const [key, value] of entries)
    if (kind === 'Secret') text.set(key, value.toString('base64'))
    else if (isUtf8(value)) text.set(key, value.toString('utf8'))
    else bytes.set(key, value.toString('base64'))
  const filled = (record: object) => Object.keys(record).length > 0
  return {
    apiVersion: 'v1',
    kind,
    metadata: {
      name: args.name,
      ...(args.namespace === undefined ? {} : { namespace: args.namespace }),
      ...(filled(labels) ? { labels } : {}),
      ...(filled(annotations) ? { annotations } : {}),
    },
    ...(text.size > 0 ? { data: Object.fromEntries(text) } : {}),
    ...(bytes.size > 0 ? { binaryData: Object.fromEntries(bytes) } : {}),
    ...(kind === 'Secret' ? { type: args.type ?? 'Opaque' } : {}),
    ...(immutable ? { immutable } : {}),
  }
}

function entriesOf(
  folder: string,
  { name, literals = [], files = [], envs = [], env }: GeneratorArgs,
): Map<string, Buffer> {
  const entries = new Map<string, Buffer>()
  const add = (key: string, value: Buffer) => {
    if (entries.has(key)) throw new UsageError(`the generator of ${name} has a duplicate key "${key}"`)
    entries.set(key, value)
  }
  const pair = (text: string): [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageError(`the generator of ${name} needs KEY=VALUE, not "${text}"`)
    return [text.slice(0, at), text.slice(at + 1)]
  }
  for (const literal of literals) {
    const [key, value] = pair(literal)
    add(key, Buffer.from(value.replace(/^(["'])(.*)\1$/s, '$2')))
  }
  for (const file of files) {
    const [key, path] = file.includes('=') ? pair(file) : [basename(file), file]
    add(key, readFile(join(folder, path)))
  }
  for (const file of env === undefined ? envs : [...envs, env])
    for (const line of readFile(join(folder, file)).toString('utf8').split(/\r?\n/)) {
      if (line.trim() === '' || line.trimStart().startsWith('#')) continue
      const [key, value] = pair(line.trimStart())
      add(key, Buffer.from(value))
    }
  return entries
}

const letters: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' }

/**
 * The hash suffix that kustomize appends to the name, so that a change of the contents changes the objects that refer to them.
 * `create --append-hash` includes the name in the hash, kustomize does not.
 */
export function contentHash(object: ApiObject, name = ''): string {
  const { kind } = object
  const data = object['data'] ?? ''
  const parts: Record<string, unknown> = { data, kind, name }
  if (object['binaryData'] !== undefined) parts['binaryData'] = object['binaryData']
  if (kind === 'Secret') parts['type'] = object['type'] ?? ''
  const json = JSON.stringify(sorted(parts)).replace(
    /[<>&\u2028\u2029]/g,
    letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const digest = createHash('sha256').update(json).digest('hex')
  return [...digest.slice(0, 10)].map(letter => letters[letter] ?? letter).join('')
}
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([left], [right]) => (left < right ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      )
    : value
