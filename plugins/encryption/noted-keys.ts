/**
 * Which keys objects of each collection may be encrypted with, noted in the store itself: added before the first object is, and
 * removed by `orch storage reencrypt` when none is left. So a server that starts without one of them can tell.
 */
import { StorageError, type Store } from 'orch/sdk/host'

export const notedKeysKey = '.store/encryption'
const attempts = 20

/** Prefixes of keys, by collection. */
export type Noted = ReadonlyMap<string, ReadonlySet<string>>

export async function readNotedKeys(store: Pick<Store, 'get'>): Promise<{ noted: Noted; modRevision: number }> {
  const found = await store.get(notedKeysKey)
  return { noted: found ? parseNotedKeys(found.body) : new Map(), modRevision: found?.modRevision ?? 0 }
}

export function parseNotedKeys(body: Buffer): Noted {
  try {
    const { keys } = JSON.parse(body.toString()) as { keys: Record<string, string[]> }
    return new Map(Object.entries(keys).map(([collection, prefixes]) => [collection, new Set(prefixes)]))
  } catch (cause) {
    throw new StorageError('corrupt', 'what the store says of its keys cannot be read', { cause })
  }
}

const encode = (noted: Noted): Buffer => {
  const keys = [...noted].filter(([, prefixes]) => prefixes.size > 0).map(([name, prefixes]) => [name, [...prefixes]])
  return Buffer.from(JSON.stringify({ metadata: { name: 'encryption' }, keys: Object.fromEntries(keys) }))
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
  throw new StorageError('unavailable', 'others keep changing what the store says of its keys')
}

const has = (noted: Noted, collection: string, prefix: string): boolean => noted.get(collection)?.has(prefix) ?? false
const including = (noted: Noted, collection: string, prefixes: Iterable<string>): Noted =>
  new Map([...noted, [collection, new Set([...(noted.get(collection) ?? []), ...prefixes])]])

/** Both together. */
function joinNoted(one: Noted, other: Noted): Noted {
  let joined = one
  for (const [collection, prefixes] of other) joined = including(joined, collection, prefixes)
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

  /** Undefined when it is noted already. */
  note(collection: string, prefix: string): Promise<void> | undefined {
    if (has(this.#noted, collection, prefix)) return undefined
    const id = `${collection} ${prefix}`
    let writing = this.#underWay.get(id)
    if (writing === undefined) {
      writing = this.#write(collection, prefix).finally(() => this.#underWay.delete(id))
      this.#underWay.set(id, writing)
    }
    return writing
  }
  /** For an import, which brings the notes of another store: what is noted here stays. */
  joinedWith(body: Buffer | undefined): Buffer | undefined {
    this.#noted = body === undefined ? new Map() : joinNoted(parseNotedKeys(body), this.#noted)
    return body && encode(this.#noted)
  }
  async #write(collection: string, prefix: string): Promise<void> {
    await changeNotedKeys(this.#store, noted =>
      has(noted, collection, prefix) ? undefined : including(noted, collection, [prefix]),
    )
    this.#noted = including(this.#noted, collection, [prefix])
  }
}
