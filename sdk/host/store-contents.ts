/**
 * The metadata of a store, kept in an object of its own: its owner, its format, and in which versions the objects of each
 * collection may be stored. So every backup and export contains it, on every engine.
 */
import { StorageError, type Store } from './storage.js'

/** How a collection, such as `apps/deployments`, is stored. */
export interface CollectionContents {
  /** Every version that objects may be stored in: added before the first is written, removed when none is left. */
  readonly versions: readonly string[]
  /** The version of objects that do not say theirs, because they were written before that was stored. */
  readonly unmarked?: string
}
/** The metadata of a store. */
export interface StoreContents {
  readonly format: number
  readonly vendor: string
  /** The store is from before versions were stored, so there may be objects without one in any collection. */
  readonly isOlder?: boolean
  /** An operation that was begun and has not ended, such as `import`: the store cannot be used until it has. */
  readonly unfinished?: string
  readonly collections: Readonly<Record<string, CollectionContents>>
}

/** The key of the contents: no type has such a group, and it comes before all that have one. */
export const contentsKey = '.store/contents'
/** The format that this version writes: 2 since stores have contents. */
export const storeFormat = 2
const attempts = 20

/** The contents as they were read; undefined in a store from before stores had any, and in an empty one. */
export interface ReadContents {
  readonly contents: StoreContents | undefined
  /** What to expect when it is written. */
  readonly modRevision: number
}
/** Reads the metadata of a store. */
export async function readContents(store: Pick<Store, 'get'>): Promise<ReadContents> {
  const found = await store.get(contentsKey)
  if (found === undefined) return { contents: undefined, modRevision: 0 }
  return { contents: parseContents(found.body), modRevision: found.modRevision }
}
/** The contents in a body that was read; throws a StorageError when they are damaged. */
export function parseContents(body: Buffer): StoreContents {
  try {
    const { contents } = JSON.parse(body.toString()) as { contents: StoreContents }
    if (typeof contents.collections === 'object') return contents
  } catch {
    // Reported below.
  }
  throw new StorageError('corrupt', 'the metadata of the store cannot be read')
}

/** Throws if a later version wrote the store: this one could damage data that it does not understand. */
export function requireKnownFormat(contents: StoreContents | undefined): void {
  if (contents === undefined || contents.format <= storeFormat) return
  const known = `has format ${contents.format}, and this program knows formats up to ${storeFormat}`
  throw new StorageError('unavailable', `the store ${known}: use the version that wrote it, or a later one`)
}

/** Writes what `change` makes of the contents, again when another process was faster; undefined leaves them as they are. */
export async function changeContents(
  store: Pick<Store, 'get' | 'write'>,
  change: (contents: StoreContents | undefined) => StoreContents | undefined,
): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const { contents, modRevision } = await readContents(store)
    const changed = change(contents)
    if (changed === undefined) return
    const body = Buffer.from(JSON.stringify({ metadata: { name: 'contents' }, contents: changed }))
    if ((await store.write({ key: contentsKey, body, expect: modRevision })).ok) return
  }
  throw new StorageError('unavailable', 'store metadata kept changing; giving up')
}
