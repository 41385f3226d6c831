import { discoverApi, type Schema, type ServedApi, type Target } from '../fuzz/served-api.js'
import { isObject } from '../golden/json-paths.js'
import { customBodies, customGroup } from './custom-types.js'
import { bodiesKey, type KnownBodies, loadKnownBodies } from './known-bodies.js'

/** A served type, its subresources and their recorded bodies. */
export interface ServedType {
  readonly target: Target
  readonly subresources: readonly Target[]
  /** Other versions of its group that serve it. */
  readonly otherRoots: readonly string[]
  bodiesOf(target: Target): KnownBodies
}

/** What conversations are made of. */
export interface Vocabulary {
  readonly types: readonly ServedType[]
  resolve(schema: Schema): Schema
  /** Values that recorded objects have in this field of a schema. */
  valuesSeen(owner: Schema, field: string): readonly unknown[]
}

/** Subresources that proxy a connection. */
const connecting = new Set(['exec', 'attach', 'portforward', 'proxy', 'log'])
/** Types that reflect the health of other processes, which differs between the servers. */
const elsewhere = new Set(['componentstatuses'])
const none: KnownBodies = { valid: [], refused: [], patches: [] }
const seenPerField = 60

/** `get` reads documents of the reference. `only` names resources, for a run that is about them. */
export async function readVocabulary(
  get: (path: string) => Promise<unknown>,
  only: readonly string[] = [],
): Promise<Vocabulary> {
  const api = await discoverApi(get)
  const known = new Map([...loadKnownBodies(), ...customBodies()])
  const isWanted = ({ resource }: Target) => !elsewhere.has(resource) && (only.length === 0 || only.includes(resource))
  const bodiesOf = ({ root, resource, subresource }: Target) =>
    known.get(bodiesKey(root, resource, subresource)) ?? none
  const types = inFixedOrder(api.targets)
    .filter(target => target.subresource === '' && isWanted(target))
    .map(target => ({
      target,
      subresources: api.targets.filter(
        ({ root, resource, subresource }) =>
          root === target.root && resource === target.resource && subresource !== '' && !connecting.has(subresource),
      ),
      otherRoots: api.targets
        .filter(other => other.resource === target.resource && other.subresource === '' && other.root !== target.root)
        .map(({ root }) => root)
        .filter(root => root.startsWith('/apis/') && root.split('/')[2] === target.root.split('/')[2]),
      bodiesOf,
    }))
  return { types, resolve: api.resolve, valuesSeen: collectValues(api, bodiesOf) }
}

/** Kubernetes lists custom types in any order; the same seed means the same conversations, though. */
function inFixedOrder(targets: readonly Target[]): readonly Target[] {
  const isCustom = ({ root }: Target) => root.startsWith(`/apis/${customGroup}/`)
  const custom = targets
    .filter(isCustom)
    .sort((one, other) => (`${one.root} ${one.resource}` < `${other.root} ${other.resource}` ? -1 : 1))
  let next = 0
  return targets.map(target => (isCustom(target) ? custom[next++]! : target))
}

/** The name of a definition, or of the field that holds an unnamed one. */
const nameOf = (schema: Schema) => schema.$ref ?? ''

function collectValues(api: ServedApi, bodiesOf: (target: Target) => KnownBodies): Vocabulary['valuesSeen'] {
  const values = new Map<string, Map<string, unknown>>()
  const note = (owner: string, field: string, value: unknown) => {
    const key = `${owner} ${field}`
    const seen = values.get(key) ?? new Map<string, unknown>()
    values.set(key, seen)
    if (seen.size < seenPerField) seen.set(JSON.stringify(value), value)
  }
  const walk = (value: unknown, reference: Schema) => {
    const schema = api.resolve(reference)
    if (Array.isArray(value)) for (const item of value) walk(item, schema.items ?? {})
    if (!isObject(value)) return
    for (const [field, item] of Object.entries(value)) {
      const of = schema.properties?.[field] ?? schema.additionalProperties
      if (of === undefined) continue
      if (schema.properties) note(nameOf(reference), field, item)
      walk(item, of)
    }
  }
  for (const target of api.targets) {
    const { valid, refused } = bodiesOf(target)
    if (target.schema) for (const body of [...valid, ...refused]) walk(body, target.schema)
  }
  return (owner, field) => [...(values.get(`${nameOf(owner)} ${field}`)?.values() ?? [])]
}
