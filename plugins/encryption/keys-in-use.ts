import { bodiesOf, type Store } from 'orch/sdk/host'
import { keyPrefixOf } from './envelope.js'
import { collectionOf } from './key-ring.js'
import { changeNotedKeys, type Noted } from './noted-keys.js'

/** Determines which keys stored objects are encrypted with, and records that no others are needed. */
export async function noteKeysInUse(stored: Store): Promise<void> {
  const inUse = new Map<string, Set<string>>()
  const page = await stored.list({ prefix: '', keys: true })
  for await (const chunk of page.items) {
    let place = -1
    for (const body of bodiesOf(chunk)) {
      const collection = collectionOf(chunk.keys![++place]!)
      if (collection === undefined) continue
      const prefixes = inUse.get(collection) ?? new Set()
      inUse.set(collection, prefixes)
      const prefix = keyPrefixOf(body)
      if (prefix !== undefined) prefixes.add(prefix)
    }
  }
  // A server may have recorded a key for a collection that has no objects yet: that record is kept.
  await changeNotedKeys(stored, noted => {
    const stillUsed = (collection: string, prefixes: ReadonlyMap<string, string | undefined>) => {
      const found = inUse.get(collection)
      return found ? new Map([...found].map(prefix => [prefix, prefixes.get(prefix)])) : prefixes
    }
    const changed: Noted = new Map(
      [...noted].map(([collection, prefixes]) => [collection, stillUsed(collection, prefixes)]),
    )
    const isSame = [...noted].every(([collection, prefixes]) => changed.get(collection)?.size === prefixes.size)
    return isSame ? undefined : changed
  })
}
