/**
 * The keys that objects of each collection may be encrypted with, recorded in the store itself: added before the first object
 * is written, and removed by `orch storage reencrypt` when none is left. This way a server that starts without one of them detects
 * it, and so does one with a different secret under the same name: with each key, a hash of its secret is stored.
 */
import { StorageError, type Store } from 'orch/sdk/host'
import { nameOfKey } from './envelope.js'
import type { ValueKey } from './providers/value-key.js'

export const notedKeysKey = '.store/encryption'
const attempts = 20

/** The hash of each key by collection and prefix; undefined if unknown, as for keys of a KMS plugin. */
export type Noted = ReadonlyMap<string, ReadonlyMap<string, string | undefined>>

export async function readNotedKeys(store: Pick<Store, 'get'>): Promise<{ noted: Noted; modRevision: number }> {
  const found = await store.get(notedKeysKey)
  return { noted: found ? parseNotedKeys(found.body) : new Map(), modRevision: found?.modRevision ?? 0 }
}

interface StoredNotes {
  readonly keys: Readonly<Record<string, readonly string[]>>
  /** Missing in stores of earlier versions. */
  readonly checks?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export function parseNotedKeys(body: Buffer): Noted {
  try {
    const { keys, checks = {} } = JSON.parse(body.toString()) as StoredNotes
    return new Map(
      Object.entries(keys).map(([collection, prefixes]) => [
        collection,
        new Map(prefixes.map(prefix => [prefix, checks[collection]?.[prefix]])),
      ]),
    )
  } catch (cause) {
    throw new StorageError('corrupt', 'the list of encryption keys in the store cannot be read', { cause })
  }
}

function encode(noted: Noted): Buffer {
  const used = [...noted].filter(([, prefixes]) => prefixes.size > 0)
  const keys = used.map(([collection, prefixes]) => [collection, [...prefixes.keys()]])
  const checks = used.map(([collection, prefixes]) => [collection, Object.fromEntries(prefixes)])
  const notes = { keys: Object.fromEntries(keys), checks: Object.fromEntries(checks) }
  return Buffer.from(JSON.stringify({ metadata: { name: 'encryption' }, ...notes }))
}

/** Changes the recorded keys, and retries on conflicts with other processes. `change` returns undefined for no change. */
export async function changeNotedKeys(
  store: Pick<Store, 'get' | 'write'>,
  change: (noted: Noted) => Noted | undefined,
): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const { noted, modRevision } = await readNotedKeys(store)
    const changed = change(noted)
    if (changed === undefined) return
    if ((await store.write({ key: notedKeysKey, body: encode(changed), expect: modRevision })).ok) return
  }
  throw new StorageError('unavailable', 'the list of encryption keys kept changing; giving up')
}

type NotedKey = Pick<ValueKey, 'prefix' | 'check'>
const has = (noted: Noted, collection: string, prefix: string): boolean => noted.get(collection)?.has(prefix) ?? false
const including = (noted: Noted, collection: string, { prefix, check }: NotedKey): Noted =>
  new Map([...noted, [collection, new Map([...(noted.get(collection) ?? []), [prefix, check]])]])

/** Whether objects of the collection are encrypted with a different secret of the same name. */
export function hasDifferentSecret(noted: Noted, collection: string, { prefix, check }: NotedKey): boolean {
  const known = noted.get(collection)?.get(prefix)
  return known !== undefined && check !== undefined && known !== check
}
const rejectDifferentSecret = (noted: Noted, collection: string, key: NotedKey): void => {
  if (hasDifferentSecret(noted, collection, key))
    throw new StorageError('sealed', differentSecret(collection, key.prefix))
}
export const differentSecret = (collection: string, prefix: string): string =>
  `${nameOfKey(prefix)} has a different secret than the one that ${resourceOf(collection)} are encrypted with`
/** `deployments.apps` of a collection `apps/deployments`. */
export function resourceOf(collection: string): string {
  const [group = '', resource = ''] = collection.split('/')
  return group === '' ? resource : `${resource}.${group}`
}

/** Merges both. Throws if they have different secrets under one name. */
function joinNoted(one: Noted, other: Noted): Noted {
  let joined = one
  for (const [collection, prefixes] of other)
    for (const [prefix, check] of prefixes) {
      rejectDifferentSecret(one, collection, { prefix, check })
      const known = one.get(collection)?.get(prefix) ?? check
      joined = including(joined, collection, { prefix, check: known })
    }
  return joined
}

/** Records a key before objects are written with it. */
export class NotedKeys {
  readonly #store: Store
  readonly #inFlight = new Map<string, Promise<void>>()
  #noted: Noted

  constructor(store: Store, noted: Noted) {
    this.#store = store
    this.#noted = noted
  }
  get noted(): Noted {
    return this.#noted
  }

  /** Undefined if it is already recorded. Rejects if a different secret is recorded under its name. */
  note(collection: string, key: NotedKey): Promise<void> | undefined {
    if (has(this.#noted, collection, key.prefix)) return undefined
    const id = `${collection} ${key.prefix}`
    let writing = this.#inFlight.get(id)
    if (writing === undefined) {
      writing = this.#write(collection, key).finally(() => this.#inFlight.delete(id))
      this.#inFlight.set(id, writing)
    }
    return writing
  }
  /** Reads the records of other processes. */
  async reload(): Promise<void> {
    this.#noted = (await readNotedKeys(this.#store)).noted
  }
  /** For an import, which contains the records of another store: those of this one stay. */
  joinedWith(body: Buffer | undefined): Buffer | undefined {
    this.#noted = body === undefined ? new Map() : joinNoted(parseNotedKeys(body), this.#noted)
    return body && encode(this.#noted)
  }
  async #write(collection: string, key: NotedKey): Promise<void> {
    await changeNotedKeys(this.#store, noted => {
      rejectDifferentSecret(noted, collection, key)
      return has(noted, collection, key.prefix) ? undefined : including(noted, collection, key)
    })
    this.#noted = including(this.#noted, collection, key)
  }
}
