import {
  type CollectionContents,
  changeContents,
  readContents,
  type Store,
  type StoreContents,
  storeFormat,
} from 'orch/sdk/host'
import { BootError, type BootProblem, problem } from '../contracts/boot-errors.js'
import { countVersions } from '../storage/attributes.js'
import type { CollectionForm } from '../storage/versioned-store.js'
import type { ResourceType } from './resource-type.js'
import { storedFormOf } from './stored-form.js'

/** How the objects of these types are read and written in a store with these contents. */
export function storedForms(
  types: readonly ResourceType[],
  contents: StoreContents | undefined,
): ReadonlyMap<string, CollectionForm> {
  const formOf = (type: ResourceType) => storedFormOf(type, contents?.collections[type.storageKey]?.unmarked)
  return new Map(types.map(type => [type.storageKey, formOf(type)]))
}

/**
 * Records in the store the versions in which these types will be written, before anything is. Throws if the store belongs to
 * another vendor or has objects in versions that none of these types has: reading them as another version would destroy them.
 */
export async function declareVersions(
  store: Store,
  types: readonly ResourceType[],
  vendor: string,
): Promise<StoreContents> {
  const { contents: found } = await readContents(store)
  const isOlder = found === undefined && (await store.count('')) > 0
  const known = found ?? { format: storeFormat, vendor, ...(isOlder ? { isOlder } : {}), collections: {} }
  refuseOther(known, vendor)
  const gone = await unknownVersions(store, types, known)
  const declared = withTypes(known, types, gone)
  await changeContents(store, contents => {
    if (contents) refuseOther(contents, vendor)
    const changed = contents ? withTypes(contents, types, gone) : declared
    return contents && JSON.stringify(changed) === JSON.stringify(contents) ? undefined : changed
  })
  return declared
}

/** The format of stores without metadata. */
const oldestFormat = 1

/** The format of a store. Throws, as `declareVersions` does, when these types cannot read it; nothing is written. */
export async function checkVersions(store: Store, types: readonly ResourceType[], vendor: string): Promise<number> {
  const { contents } = await readContents(store)
  if (!contents) return (await store.count('')) > 0 ? oldestFormat : storeFormat
  refuseOther(contents, vendor)
  await unknownVersions(store, types, contents)
  return contents.format
}

function refuseOther(contents: StoreContents, vendor: string): void {
  const problems = problemsOf(contents, vendor)
  if (problems.length > 0) throw new BootError(problems)
}

/** Why a server of this vendor cannot use a store with this metadata. */
export function problemsOf({ vendor: owner, format, unfinished }: StoreContents, vendor: string): BootProblem[] {
  const problems: BootProblem[] = []
  if (owner !== vendor) problems.push(problem('ORCH_STORE_VENDOR', { vendor, owner }))
  if (format > storeFormat) problems.push(problem('ORCH_STORE_FORMAT', { format, known: storeFormat }))
  if (unfinished !== undefined) problems.push(problem('ORCH_STORE_UNFINISHED', { action: unfinished }))
  return problems
}

/** Versions, by collection, that may be stored and that no plugin has. Throws if an object is stored in one of them. */
async function unknownVersions(
  store: Store,
  types: readonly ResourceType[],
  { collections }: StoreContents,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const problems: BootProblem[] = []
  const gone = new Map<string, readonly string[]>()
  for (const type of types) {
    const { versions = [], unmarked } = collections[type.storageKey] ?? {}
    const stored = new Set([...versions, ...(unmarked === undefined ? [] : [unmarked])])
    const unknown = [...stored].filter(version => type.version(version) === undefined)
    if (unknown.length === 0) continue
    const counts = await countVersions(store, type.storageKey)
    for (const version of unknown) {
      const count = (counts.get(version) ?? 0) + (version === unmarked ? (counts.get('') ?? 0) : 0)
      const resource = type.group === '' ? type.resource : `${type.resource}.${type.group}`
      if (count > 0)
        problems.push(problem('ORCH_STORED_VERSION_UNKNOWN', { plugin: type.plugin, resource, version, count }))
    }
    gone.set(type.storageKey, unknown)
  }
  if (problems.length > 0) throw new BootError(problems)
  return gone
}

function withTypes(
  contents: StoreContents,
  types: readonly ResourceType[],
  gone: ReadonlyMap<string, readonly string[]>,
): StoreContents {
  const collections: Record<string, CollectionContents> = { ...contents.collections }
  for (const type of types) {
    const { storageKey, storage } = type
    const before = collections[storageKey]
    const isGone = (version: string) => gone.get(storageKey)?.includes(version) ?? false
    const versions = (before?.versions ?? []).filter(version => !isGone(version))
    if (!versions.includes(storage.name)) versions.push(storage.name)
    const unmarked = before ? before.unmarked : contents.isOlder ? storage.name : undefined
    collections[storageKey] = { versions, ...(unmarked === undefined || isGone(unmarked) ? {} : { unmarked }) }
  }
  return { ...contents, collections }
}
