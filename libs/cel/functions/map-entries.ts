import { type CelMap, EntriesMap, plainKey } from '../run/values.js'
import { Failure, type Work } from '../run/work.js'
import { mapInsert } from '../syntax/macros.js'
import { func, type Library } from './overload.js'

/** Only for completeness: loops insert into one map directly (see `run/loops.ts`). */
function inserted(work: Work, map: CelMap, entries: Iterable<readonly [unknown, unknown]>): CelMap {
  const made = new Map<unknown, { key: unknown; value: unknown }>()
  const put = (key: unknown, value: unknown) => {
    work.steps(6)
    const plain = plainKey(key)
    if (plain === undefined || made.has(plain)) throw new Failure(`insert failed: key ${String(plain)} already exists`)
    made.set(plain, { key, value })
  }
  for (const key of map.keys()) put(key, map.get(key))
  for (const [key, value] of entries) put(key, value)
  return new EntriesMap(made)
}
function* entriesOf(map: CelMap): Iterable<readonly [unknown, unknown]> {
  for (const key of map.keys()) yield [key, map.get(key)]
}

/** The expansion of two-variable loops that build maps. */
export const mapEntries: Library = {
  name: 'comprehensions',
  since: 32,
  functions: {
    [mapInsert]: {
      '@mapInsert_map_key_value': func('map(K,V),K,V:map(K,V)', (work, map: CelMap, key, value) =>
        inserted(work, map, [[key, value]]),
      ),
      '@mapInsert_map_map': func('map(K,V),map(K,V):map(K,V)', (work, map: CelMap, other: CelMap) =>
        inserted(work, map, entriesOf(other)),
      ),
    },
  },
}
