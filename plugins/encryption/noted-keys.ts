/**
 * Which keys objects of each collection may be encrypted with, noted in the store itself: added before the first object
 * is, and removed by `orch storage reencrypt` when none is left. So a server that starts without one of them notices,
 * and so does one that has another secret under the same name: with each key, a value derived from its secret is
 * stored.
 */
import { StorageError, type Store } from 'orch/sdk/host'
import { nameOfKey } from './envelope.js'
import type { ValueKey } from './providers/value-key.js'

export const notedKeysKey = '.store/encryption'
const attempts = 20

/** By collection and prefix of a key its check; undefined where none is known, as of keys that a KMS plugin holds. */
export type Noted = ReadonlyMap<string, ReadonlyMap<string, string | undefined>>

export async function readNotedKeys(store: Pick<Store, 'get'>): Promise<{ noted: Noted; modRevision: number }> {
  const found = await store.get(notedKeysKey)
  return { noted: found ? parseNotedKeys(found.body) : new Map(), modRevision: found?.modRevision ?? 0 }
}

interface StoredNotes {
  readonly keys: Readonly<Record<string, readonly string[]>>
  /** Not there in stores of earlier versions. */
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
    throw new StorageError('corrupt', 'what the store says of its keys cannot be read', { cause })
  }
}

function encode(noted: Noted): Buffer {
  const used = [...noted].filter(([, prefixes]) => prefixes.size > 0)
  const keys = used.map(([collection, prefixes]) => [collection, [...prefixes.keys()]])
  const checks = used.map(([collection, prefixes]) => [collection, Object.fromEntries(prefixes)])
  const notes = { keys: Object.fromEntries(keys), checks: Object.fromEntries(checks) }
  return Buffer.from(JSON.stringify({ metadata: { name: 'encryption' }, ...notes }))
}

/** Writes what `change` makes of the notes, again when another process was faster; undefined leaves them as they are. */
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

/** Is this another secret than the one that objects of the collection are encrypted with under its name? */
export function isAnother(noted: Noted, collection: string, { prefix, check }: NotedKey): boolean {
  const known = noted.get(collection)?.get(prefix)
  return known !== undefined && check !== undefined && known !== check
}
const refuseAnother = (noted: Noted, collection: string, key: NotedKey): void => {
  if (isAnother(noted, collection, key)) throw new StorageError('sealed', anotherSecret(collection, key.prefix))
}
export const anotherSecret = (collection: string, prefix: string): string =>
  `${nameOfKey(prefix)} has another secret than the one that ${resourceOf(collection)} are encrypted with`
/** `deployments.apps` of a collection `apps/deployments`. */
export function resourceOf(collection: string): string {
  const [group = '', resource = ''] = collection.split('/')
  return group === '' ? resource : `${resource}.${group}`
}

/** Both together. Throws where they have different secrets under one name. */
function joinNoted(one: Noted, other: Noted): Noted {
  let joined = one
  for (const [collection, prefixes] of other)
    for (const [prefix, check] of prefixes) {
      refuseAnother(one, collection, { prefix, check })
      const known = one.get(collection)?.get(prefix) ?? check
      joined = including(joined, collection, { prefix, check: known })
    }
  return joined
}

/** Makes sure that a key is noted before something is written with it. */
export class NotedKeys {
  readonly #store: Store
  readonly #underWay = new Map<string, Promise<void>>()
  #noted: Noted

  constructor(store: Store, noted: Noted) {
    this.#store = store
    this.#noted = noted
  }
  get noted(): Noted {
    return this.#noted
  }

  /** Undefined when it is noted already. Rejects when another secret is noted under its name. */
  note(collection: string, key: NotedKey): Promise<void> | undefined {
    if (has(this.#noted, collection, key.prefix)) return undefined
    const id = `${collection} ${key.prefix}`
    let writing = this.#underWay.get(id)
    if (writing === undefined) {
      writing = this.#write(collection, key).finally(() => this.#underWay.delete(id))
      this.#underWay.set(id, writing)
    }
    return writing
  }
  /** Looks what other processes noted. */
  async readAgain(): Promise<void> {
    this.#noted = (await readNotedKeys(this.#store)).noted
  }
  /** For an import, which contains the records of another store: those of this one stay. */
  joinedWith(body: Buffer | undefined): Buffer | undefined {
    this.#noted = body === undefined ? new Map() : joinNoted(parseNotedKeys(body), this.#noted)
    return body && encode(this.#noted)
  }
  async #write(collection: string, key: NotedKey): Promise<void> {
    await changeNotedKeys(this.#store, noted => {
      refuseAnother(noted, collection, key)
      return has(noted, collection, key.prefix) ? undefined : including(noted, collection, key)
    })
    this.#noted = including(this.#noted, collection, key)
  }
}
