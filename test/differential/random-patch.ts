import { isDeepStrictEqual } from 'node:util'
import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { Schema } from '../fuzz/served-api.js'
import { isObject, type JsonObject } from '../golden/json-paths.js'
import type { Step } from '../golden/scenario.js'
import { wrongValue } from './edge-values.js'
import type { KnownPatch } from './known-bodies.js'
import { varyObject } from './vary-object.js'
import type { Vocabulary } from './vocabulary.js'

export const patchTypes = [
  'json-patch+json',
  'merge-patch+json',
  'strategic-merge-patch+json',
  'apply-patch+yaml',
] as const
export type PatchType = (typeof patchTypes)[number]

/** What a patch is made from: the object as it was sent last, and what was once sent to its type. */
export interface PatchSource {
  readonly object: JsonObject
  readonly schema: Schema
  readonly known: readonly KnownPatch[]
  readonly vocabulary: Vocabulary
}
type PatchBody = Pick<Step, 'headers' | 'body'> & { readonly isYaml?: boolean }

export function randomPatch(random: SeededRandom, type: PatchType, source: PatchSource): PatchBody {
  const headers = { 'Content-Type': `application/${type}` }
  const known = source.known.filter(({ contentType }) => contentType === headers['Content-Type'])
  if (known.length > 0 && random.fraction() < 0.3 && type !== 'apply-patch+yaml')
    return { headers, body: structuredClone(random.pick(known).body) }
  const varied = structuredClone(source.object)
  for (let times = random.pick([1, 1, 1, 2, 3]); times > 0; times--)
    varyObject(random, varied, source.schema, source.vocabulary)
  switch (type) {
    case 'json-patch+json':
      return { headers, body: operations(random, source.object, varied) }
    case 'merge-patch+json':
      return { headers, body: mergePatch(source.object, varied) }
    case 'strategic-merge-patch+json':
      return { headers, body: withDirective(random, mergePatch(source.object, varied)) }
    case 'apply-patch+yaml': {
      const applied = random.fraction() < 0.6 ? thinned(random, varied) : varied
      return { headers, body: applied, isYaml: random.fraction() < 0.2 }
    }
  }
}

/** The JSON merge patch that makes one object of another. */
export function mergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const patch: JsonObject = {}
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, changed] = [before[field], after[field]]
    if (isDeepStrictEqual(old, changed)) continue
    if (changed === undefined) patch[field] = null
    else patch[field] = isObject(old) && isObject(changed) ? mergePatch(old, changed) : changed
  }
  return patch
}

/** One patch in six says how to treat a list or an object. */
function withDirective(random: SeededRandom, patch: JsonObject): JsonObject {
  if (random.fraction() > 0.17) return patch
  const holders: JsonObject[] = []
  const walk = (value: unknown) => {
    if (isObject(value)) holders.push(value)
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) walk(item)
  }
  walk(patch)
  const holder = random.pick(holders)
  const list = Object.keys(holder).find(field => Array.isArray(holder[field]))
  random.pick<() => void>([
    () => void (holder['$patch'] = random.pick(['replace', 'delete', 'merge', 'odd'])),
    () => void (holder['$retainKeys'] = random.pick<unknown>([Object.keys(holder), [], 'a'])),
    () => {
      if (list !== undefined) holder[`$setElementOrder/${list}`] = random.pick<unknown>([[], holder[list], ['a']])
    },
    () => {
      if (list !== undefined)
        (holder[list] as unknown[]).push({ $patch: random.pick(['replace', 'delete']), name: 'a' })
    },
    () => void (holder['$deleteFromPrimitiveList/finalizers'] = ['example.com/a']),
  ])()
  return patch
}

const escaped = (field: string) => field.replaceAll('~', '~0').replaceAll('/', '~1')

/** The paths of an object, deep ones too. */
function pointersIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, item]) => {
    const pointer = `${at}/${escaped(field)}`
    return [pointer, ...pointersIn(item, pointer)]
  })
}

/** What changed, as operations, or operations on places that are there or nearly there. */
function operations(random: SeededRandom, before: JsonObject, after: JsonObject): unknown {
  const changes = changesAsOperations(before, after)
  if (changes.length > 0 && random.fraction() < 0.6) return changes
  const pointers = pointersIn(after).filter(
    pointer => !/^\/(?:apiVersion|kind|metadata\/(?:name|namespace))/.test(pointer),
  )
  const pointer = () =>
    random.pick([...pointers, '/metadata/labels/a', '/metadata/annotations', '/spec/a/b', '/spec/0', ''])
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => {
    const path = random.fraction() < 0.9 ? pointer() : random.pick([`${pointer()}/-`, `${pointer()}/0`, 'a', '/'])
    const op = random.pick(['add', 'add', 'replace', 'remove', 'test', 'copy', 'move', 'odd'])
    if (op === 'remove') return { op, path }
    if (op === 'copy' || op === 'move') return { op, path, from: pointer() }
    return { op, path, value: wrongValue(random) }
  })
}

function changesAsOperations(before: JsonObject, after: JsonObject, at = ''): JsonObject[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field): JsonObject[] => {
    const [old, changed] = [before[field], after[field]]
    const path = `${at}/${escaped(field)}`
    if (isDeepStrictEqual(old, changed)) return []
    if (changed === undefined) return [{ op: 'remove', path }]
    if (isObject(old) && isObject(changed)) return changesAsOperations(old, changed, path)
    return [{ op: old === undefined ? 'add' : 'replace', path, value: changed }]
  })
}

/** The object without some of its fields, like partial applies. */
function thinned(random: SeededRandom, object: JsonObject, depth = 0): JsonObject {
  const always =
    depth === 0 ? ['apiVersion', 'kind', 'metadata'] : ['name', 'containerPort', 'port', 'key', 'type', 'ip']
  return Object.fromEntries(
    Object.entries(object)
      .filter(([field]) => always.includes(field) || random.fraction() < 0.75)
      .map(([field, value]) => [
        field,
        isObject(value) && !(depth === 0 && field === 'metadata')
          ? thinned(random, value, depth + 1)
          : Array.isArray(value)
            ? value.map(item => (isObject(item) ? thinned(random, item, depth + 1) : item))
            : value,
      ]),
  )
}
