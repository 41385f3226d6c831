import type { Revision, Store } from '../host/storage.js'
import { withoutVersion } from '../host/stored-bodies.js'

/** An object at the time of the snapshot. */
interface Kept {
  readonly body: Buffer
  readonly attributes: Buffer
  /** The revision under which it is stored, until it is written again. */
  revision: Revision
}

/** The metadata of the store, which tests must not change. */
const ownPrefix = '.store/'

/** A snapshot of a store that can be restored. */
export class StoredState {
  readonly #store: Store
  #kept = new Map<string, Kept>()

  constructor(store: Store) {
    this.#store = store
  }

  async take(): Promise<void> {
    const kept = new Map<string, Kept>()
    for (const key of await this.#keys()) {
      const found = await this.#store.get(key)
      if (!found) continue
      const { modRevision: revision, body } = withoutVersion(found.body)
      kept.set(key, { body, attributes: found.attributes, revision })
    }
    this.#kept = kept
  }

  /** Writes back what has changed, and deletes what was added since. */
  async restore(): Promise<void> {
    const now = await this.#keys()
    const deletions = now.filter(key => !this.#kept.has(key)).map(key => this.#store.write({ key, body: undefined }))
    const changes = [...this.#kept].map(async ([key, kept]) => {
      if ((await this.#store.get(key))?.modRevision === kept.revision) return
      const result = await this.#store.write({ key, body: kept.body, attributes: kept.attributes })
      if (result.ok) kept.revision = result.revision
    })
    await Promise.all([...deletions, ...changes])
  }

  async #keys(): Promise<string[]> {
    const all: string[] = []
    const { items } = await this.#store.list({ prefix: '', keys: true })
    for await (const { keys = [] } of items) for (const key of keys) if (!key.startsWith(ownPrefix)) all.push(key)
    return all
  }
}
