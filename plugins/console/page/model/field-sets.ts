import type { Anything, ApiObject, FieldSet, ManagedFields } from './api.js'

/** Sets of fields and their managers. A path consists of keys and indexes: `spec`, `ports`, 0. */

export type Path = readonly (string | number)[]

/** The paths in an object that a field set covers; keys of list items are resolved to indexes. */
export function pathsIn(value: Anything, set: FieldSet, at: Path = []): Path[] {
  const keys = Object.keys(set).filter(key => key !== '.')
  if (keys.length === 0) return [at]
  const own: Path[] = '.' in set ? [at] : []
  return [...own, ...keys.flatMap(key => below(value, key, set[key]!, at))]
}

function below(value: Anything, key: string, set: FieldSet, at: Path): Path[] {
  if (value === null || typeof value !== 'object') return []
  const text = key.slice(2)
  if (key.startsWith('f:')) return text in value ? pathsIn(value[text], set, [...at, text]) : []
  if (!Array.isArray(value)) return []
  const index = key.startsWith('k:') ? indexByKeys(value, JSON.parse(text)) : indexOf(value, key)
  return index < 0 ? [] : pathsIn(value[index], set, [...at, index])
}
const indexByKeys = (list: readonly Anything[], keys: Record<string, unknown>) =>
  list.findIndex(item => Object.entries(keys).every(([key, wanted]) => (item?.[key] ?? defaultKey(key)) === wanted))
/** The only list key that has a default, and may therefore be missing. */
const defaultKey = (key: string) => (key === 'protocol' ? 'TCP' : undefined)
const indexOf = (list: readonly Anything[], key: string) =>
  key.startsWith('v:')
    ? list.findIndex(item => JSON.stringify(item) === key.slice(2))
    : key.startsWith('i:')
      ? Number(key.slice(2))
      : -1

export const pathText = (path: Path): string =>
  path.map((each, at) => (typeof each === 'number' ? `[${each}]` : at === 0 ? each : `.${each}`)).join('')

/** The managers of each field. */
export function ownersByPath(object: ApiObject): ReadonlyMap<string, readonly ManagedFields[]> {
  const owners = new Map<string, ManagedFields[]>()
  for (const entry of object.metadata.managedFields ?? []) {
    for (const path of pathsIn(object, entry.fieldsV1 ?? {})) {
      const key = pathText(path)
      owners.set(key, [...(owners.get(key) ?? []), entry])
    }
  }
  return owners
}

const isRecord = (value: unknown): value is Record<string, Anything> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSameValue = (left: unknown, right: unknown): boolean =>
  left === right ||
  (Array.isArray(left) && Array.isArray(right)
    ? left.length === right.length && left.every((each, at) => isSameValue(each, right[at]))
    : isRecord(left) && isRecord(right)
      ? Object.keys(left).length === Object.keys(right).length &&
        Object.keys(left).every(key => key in right && isSameValue(left[key], right[key]))
      : false)

/** The keys that identify the items of a list; undefined for atomic lists. */
export type KeysOfList = (path: Path) => readonly string[] | undefined

export interface Changes {
  /** Paths of added and changed fields, in the edited object. */
  readonly set: readonly Path[]
  /** Paths of removed fields, in the original object. */
  readonly removed: readonly Path[]
}

/** Compares two values. */
export function changesBetween(before: Anything, after: Anything, keysOf: KeysOfList, at: Path = []): Changes {
  if (isSameValue(before, after)) return { set: [], removed: [] }
  if (isRecord(before) && isRecord(after)) {
    const parts = Object.keys(after).map(key =>
      key in before
        ? changesBetween(before[key], after[key], keysOf, [...at, key])
        : { set: [[...at, key]], removed: [] },
    )
    const removed = Object.keys(before)
      .filter(key => !(key in after))
      .map(key => [...at, key])
    return joined([...parts, { set: [], removed }])
  }
  const keys = Array.isArray(before) && Array.isArray(after) ? keysOf(at) : undefined
  if (!keys) return { set: [at], removed: [] }
  const twin = (list: Anything[], item: Anything) =>
    list.findIndex(each => keys.every(key => each?.[key] === item?.[key]))
  const parts = after.map((item: Anything, index: number): Changes => {
    const earlier = twin(before, item)
    if (earlier < 0) return { set: [[...at, index]], removed: [] }
    const inside = changesBetween(before[earlier], item, keysOf, [...at, index])
    const keyPaths = inside.set.length > 0 ? keys.map(key => [...at, index, key]) : []
    return { set: [...keyPaths, ...inside.set], removed: inside.removed }
  })
  const removed = before.flatMap((item: Anything, index: number) => (twin(after, item) < 0 ? [[...at, index]] : []))
  return joined([...parts, { set: [], removed }])
}
const joined = (parts: readonly Changes[]): Changes => ({
  set: parts.flatMap(({ set }) => set),
  removed: parts.flatMap(({ removed }) => removed),
})

/** Keeps only these fields; list items keep their order. */
export function pick(value: Anything, paths: readonly Path[]): Anything {
  if (paths.some(path => path.length === 0)) return value
  const heads = new Map<string | number, Path[]>()
  for (const [head, ...rest] of paths) heads.set(head!, [...(heads.get(head!) ?? []), rest])
  if (Array.isArray(value)) {
    const positions = ([...heads.keys()] as number[]).sort((left, right) => left - right)
    return positions.map(position => pick(value[position], heads.get(position)!))
  }
  return Object.fromEntries([...heads].map(([head, rest]) => [head, pick(value?.[head], rest)]))
}

/** The configuration that a manager applies to make changes: what it applied before, and the changed fields. */
export function appliedObject(edited: ApiObject, manager: string, changed: readonly Path[]): Anything {
  const own = (edited.metadata.managedFields ?? []).filter(
    entry => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource,
  )
  // Only leaves: the path of a map would include all of its content.
  const kept = own.flatMap(entry => leavesOf(pathsIn(edited, entry.fieldsV1 ?? {})))
  const { apiVersion, kind, metadata } = edited
  const config = pick(edited, [...kept, ...changed])
  return {
    ...config,
    apiVersion,
    kind,
    metadata: {
      ...config.metadata,
      name: metadata.name,
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
    },
  }
}
function leavesOf(paths: readonly Path[]): Path[] {
  const texts = paths.map(pathText)
  return paths.filter((_, at) => !texts.some(text => text !== texts[at] && text.startsWith(texts[at]!)))
}
