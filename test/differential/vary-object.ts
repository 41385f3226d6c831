import type { SeededRandom } from '../fuzz/seeded-random.js'
import type { Schema } from '../fuzz/served-api.js'
import { isObject, type JsonObject } from '../golden/json-paths.js'
import { edgeKey, edgeText, edgeValue, wrongValue } from './edge-values.js'
import type { Vocabulary } from './vocabulary.js'

/** A field or entry that exists or could exist. */
interface Place {
  readonly holder: JsonObject | unknown[]
  readonly key: string | number
  /** Schema of the value. */
  readonly schema: Schema
  /** Schema of the holder. */
  readonly owner: Schema
}

/** Fields that the server sets, or that separate the objects of conversations: changing them is useless or harmful. */
const untouched = new Set([
  'apiVersion',
  'kind',
  'namespace',
  'name',
  'uid',
  'resourceVersion',
  'managedFields',
  'selfLink',
  'ownerReferences',
])
const deepest = 8

function placesIn(root: unknown, rootSchema: Schema, vocabulary: Vocabulary): { present: Place[]; absent: Place[] } {
  const present: Place[] = []
  const absent: Place[] = []
  const walk = (value: unknown, owner: Schema, depth: number, isMetadata: boolean) => {
    const schema = vocabulary.resolve(owner)
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        present.push({ holder: value, key: index, schema: schema.items ?? {}, owner })
        walk(item, schema.items ?? {}, depth + 1, false)
      }
      return
    }
    if (!isObject(value)) return
    const isFixed = (field: string) => (depth === 0 || isMetadata) && untouched.has(field)
    for (const [field, item] of Object.entries(value)) {
      const of = schema.properties?.[field] ?? schema.additionalProperties ?? {}
      if (!isFixed(field)) present.push({ holder: value, key: field, schema: of, owner })
      walk(item, of, depth + 1, depth === 0 && field === 'metadata')
    }
    if (depth >= deepest) return
    for (const [field, of] of Object.entries(schema.properties ?? {}))
      if (!Object.hasOwn(value, field) && !isFixed(field)) absent.push({ holder: value, key: field, schema: of, owner })
  }
  walk(root, rootSchema, 0, false)
  return { present, absent }
}

const set = ({ holder, key }: Place, value: unknown) => void ((holder as Record<string | number, unknown>)[key] = value)
const get = ({ holder, key }: Place) => (holder as Record<string | number, unknown>)[key]
function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

/** Changes an object in one place: a field of its schema comes, goes or takes a value from the edges. The object must not be shared. */
export function varyObject(random: SeededRandom, object: JsonObject, schema: Schema, vocabulary: Vocabulary): void {
  const { present, absent } = placesIn(object, schema, vocabulary)
  const dice = random.fraction()
  if (dice < 0.3 && absent.length > 0) {
    const place = random.pick(absent)
    set(place, fieldValue(random, place, vocabulary))
  } else if (present.length === 0) return
  else if (dice < 0.75) vary(random, random.pick(present), vocabulary)
  else if (dice < 0.87) remove(random.pick(present))
  else if (dice < 0.93) set(random.pick(present), null)
  else if (dice < 0.97) set(random.pick(present), wrongValue(random))
  else addUnknown(random, random.pick(present))
}

function addUnknown(random: SeededRandom, { holder }: Place): void {
  if (Array.isArray(holder)) holder.push(wrongValue(random))
  else holder[random.pick(['unknownField', 'Spec', 'x'])] = wrongValue(random)
}

function vary(random: SeededRandom, place: Place, vocabulary: Vocabulary): void {
  const value = get(place)
  if (Array.isArray(value)) varyList(random, place, value, vocabulary)
  else if (isObject(value) && vocabulary.resolve(place.schema).additionalProperties)
    value[edgeKey(random)] =
      random.fraction() < 0.5 ? (Object.values(value)[0] ?? 'a') : random.pick(['', 'b', 'é', 'a b'])
  else set(place, fieldValue(random, place, vocabulary))
}

function varyList(random: SeededRandom, place: Place, list: unknown[], vocabulary: Vocabulary): void {
  const items = vocabulary.resolve(place.schema).items ?? {}
  const copy = () => structuredClone(random.pick(list))
  random.pick<() => void>([
    () => void list.push(list.length > 0 ? copy() : newValue(random, items, vocabulary)),
    () => void list.reverse(),
    () => set(place, []),
    () => void list.pop(),
    () => void list.push(newValue(random, items, vocabulary)),
    () => {
      if (list.length === 0) return
      const twin = copy()
      if (isObject(twin)) varyObject(random, twin, items, vocabulary)
      list.push(twin)
    },
  ])()
}

/** A value of recorded objects, or an edge case of the schema. */
function fieldValue(random: SeededRandom, { key, schema, owner }: Place, vocabulary: Vocabulary): unknown {
  const seen = typeof key === 'string' ? vocabulary.valuesSeen(owner, key) : []
  if (seen.length > 0 && random.fraction() < 0.6) return structuredClone(random.pick(seen))
  return newValue(random, schema, vocabulary)
}

/** A value of a schema: few optional fields, required ones nearly always. */
export function newValue(random: SeededRandom, reference: Schema, vocabulary: Vocabulary, depth = 0): unknown {
  const schema = vocabulary.resolve(reference)
  if (schema.type === 'array') {
    const length = depth > 5 ? 0 : random.pick([0, 1, 1, 2])
    return Array.from({ length }, () => newValue(random, schema.items ?? {}, vocabulary, depth + 1))
  }
  if (schema.type !== 'object') return edgeValue(random, reference, schema)
  if (schema.additionalProperties) {
    const value = newValue(random, schema.additionalProperties, vocabulary, depth + 1)
    return random.fraction() < 0.2 ? {} : { [edgeKey(random)]: value }
  }
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).filter(([field]) =>
    depth > 5
      ? false
      : random.fraction() < (required.includes(field) ? 0.95 : Math.min(0.5, 2 / Object.keys(properties).length)),
  )
  return Object.fromEntries(
    fields.map(([field, of]) => {
      const seen = vocabulary.valuesSeen(reference, field)
      const isKnown = seen.length > 0 && random.fraction() < 0.7
      return [field, isKnown ? structuredClone(random.pick(seen)) : newValue(random, of, vocabulary, depth + 1)]
    }),
  )
}

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '8f6f0a3e-0000-4000-8000-000000000001' }
/** Owners, good and bad. They are only ever sent with dry run: the garbage collector would act on them. */
const owners: readonly unknown[] = [
  [owner],
  [{ ...owner, controller: true, blockOwnerDeletion: true }],
  [
    { ...owner, controller: true },
    { ...owner, uid: 'b', controller: true },
  ],
  [owner, owner],
  [{ ...owner, uid: '' }],
  [{ ...owner, apiVersion: 'a/b/c' }],
  [{ ...owner, kind: 'Event' }],
  [{ name: 'a' }],
]
const finalizers: readonly unknown[] = [
  ['example.com/hold'],
  ['example.com/hold', 'example.com/other'],
  ['example.com/hold', 'example.com/hold'],
  ['foregroundDeletion'],
  ['hold'],
  [],
]

/** Names, finalizers and owners at their edges. */
export function varyMetadata(random: SeededRandom, metadata: JsonObject): void {
  if (random.fraction() < 0.02) metadata['name'] = edgeText(random)
  if (random.fraction() < 0.08) metadata['finalizers'] = structuredClone(random.pick(finalizers))
  if (random.fraction() < 0.04) metadata['ownerReferences'] = structuredClone(random.pick(owners))
}
