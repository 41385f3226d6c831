import {
  bodiesOf,
  changeContents,
  type ListChunk,
  type MigrationPlan,
  type Store,
  storeFormat,
  withoutVersion,
} from 'orch/sdk/host'
import { countVersions, versionMark } from '../storage/attributes.js'
import type { CollectionForm } from '../storage/versioned-store.js'
import type { ResourceType } from '../types/resource-type.js'
import { storedFormOf } from '../types/stored-form.js'
import { checkVersions, declareVersions } from '../types/stored-versions.js'
import { commit } from './commit.js'

export interface MigrateRequest {
  readonly store: Store
  /** One for each collection. */
  readonly types: readonly ResourceType[]
  readonly vendor: string
  readonly progress: (done: number, all: number) => void
  /** Called after every durable step: a test kills the process there. */
  readonly at?: (step: string) => void
}
export interface MigrateResult {
  /** Objects that were rewritten. */
  readonly count: number
  /** Objects that other servers kept writing in another version. */
  readonly left: number
}

const maxConcurrentWrites = 64
/** Objects that change while they are being rewritten are retried. */
const passes = 5

/**
 * Rewrites every object of another version in the current one. It can be interrupted:
 * the next run continues with the rest. Servers may write meanwhile.
 */
export async function migrateVersions({ store, types, vendor, progress, at }: MigrateRequest): Promise<MigrateResult> {
  const { collections } = await declareVersions(store, types, vendor)
  let all = 0
  for (const type of types) all += await outdatedIn(store, type)
  let count = 0
  let left = 0
  const written = () => {
    progress(++count, all)
    at?.(count === 1 ? 'the first object is written' : 'an object is written')
  }
  for (const type of types) {
    const form = storedFormOf(type, collections[type.storageKey]?.unmarked)
    let rest = await outdatedIn(store, type)
    for (let pass = 0; pass < passes && rest > 0; pass++) {
      await migrateCollection(store, type, form, written)
      rest = await outdatedIn(store, type)
    }
    left += rest
    if (rest > 0) continue
    await changeContents(store, contents => {
      const versions = [type.storage.name]
      const known = contents?.collections[type.storageKey]
      if (!contents || (known?.versions.length === 1 && known.unmarked === undefined)) return undefined
      return { ...contents, collections: { ...contents.collections, [type.storageKey]: { versions } } }
    })
    at?.(`${type.resource} are recorded as written`)
  }
  return { count, left }
}

/** What `migrateVersions` would rewrite. Nothing is written, not even the format to an older store. */
export async function planMigration(
  store: Store,
  types: readonly ResourceType[],
  vendor: string,
): Promise<MigrationPlan> {
  const stored = await checkVersions(store, types, vendor)
  const outdated: { resource: string; count: number; to: string }[] = []
  for (const type of types) {
    const count = await outdatedIn(store, type)
    const resource = type.group === '' ? type.resource : `${type.resource}.${type.group}`
    if (count > 0) outdated.push({ resource, count, to: type.storage.name })
  }
  return { format: { stored, current: storeFormat }, outdated }
}

async function outdatedIn(store: Store, { storageKey, storage }: ResourceType): Promise<number> {
  let count = 0
  for (const [version, each] of await countVersions(store, storageKey)) if (version !== storage.name) count += each
  return count
}

async function migrateCollection(
  store: Store,
  type: ResourceType,
  form: CollectionForm,
  written: () => void,
): Promise<void> {
  const mark = versionMark(type.storage.name)
  const isMarked = (attributes: Buffer) => attributes.subarray(0, mark.length).equals(mark)
  const page = await store.list({
    prefix: type.keyPrefix,
    keys: true,
    filter: attributes => !isMarked(attributes),
    isUsual: () => false,
  })
  for await (const chunk of page.items) {
    const waiting = [...objectsOf(chunk)]
    const writeWaiting = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { body, attributes } = form.convert(next)
        const { modRevision: expect, body: stored } = withoutVersion(body)
        const rewrite = () => ({ write: { body: stored, attributes } })
        const { ok } = await commit({ services: { store } }, next.key, rewrite, { expect })
        if (ok) written()
      }
    }
    await Promise.all(Array.from({ length: maxConcurrentWrites }, writeWaiting))
  }
}

function* objectsOf(chunk: ListChunk): Iterable<{ key: string; body: Buffer; attributes: Buffer }> {
  let index = 0
  for (const body of bodiesOf(chunk)) {
    const attributes = chunk.otherAttributes?.get(index) ?? Buffer.alloc(0)
    yield { key: chunk.keys?.[index] ?? '', body, attributes }
    index++
  }
}
