import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompactedError, type Revision } from 'orch/sdk/host'
import { prefixEnd } from '../revision.js'
import { CollectionTotals } from './collection-totals.js'
import type { Environment } from './environment.js'
import type { KeyRange } from './past-cursor.js'
import { PastCursor } from './past-cursor.js'
import { walkRevision } from './walk-revision.js'

/** A place in a list: the keys of a prefix after one key, at a revision. */
export interface ListPlace {
  readonly prefix: string
  readonly revision: Revision
  readonly key: string
}

/** Number of paging lists for which counts are kept; others count again. */
const maxPlaces = 1000

/** How many keys follow a place. Counting visits them all, so the next page of a list takes its count from the one before. */
export class RemainingCounts {
  readonly #environment: Environment
  readonly #totals: CollectionTotals
  readonly #known = new Map<string, number>()

  constructor(environment: Environment) {
    this.#environment = environment
    this.#totals = new CollectionTotals(environment)
  }

  /** The count after `place`, which is `taken` keys behind `before`. */
  async after(place: ListPlace, before: ListPlace, taken: number): Promise<number> {
    const isFirst = before.key === ''
    const known = isFirst ? this.#totals.at(place.prefix, place.revision) : this.#known.get(countKey(before))
    const remaining = known === undefined ? await this.#count(place) : known - taken
    if (isFirst && known === undefined) this.#totals.remember(place.prefix, place.revision, remaining + taken)
    this.#known.set(countKey(place), remaining)
    if (this.#known.size > maxPlaces) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest)
        break
      }
    }
    return remaining
  }

  async #count({ prefix, revision, key }: ListPlace): Promise<number> {
    const environment = this.#environment
    const { revision: newest } = environment.readState()
    const start = Buffer.from(key)
    const end = prefixEnd(Buffer.from(prefix))
    if (newest === revision) return countKeys(environment, { start, isAfterStart: true, end })
    let count = 0
    for (let place: Buffer | undefined = start; place !== undefined; ) {
      const { compacted } = environment.readState()
      if (revision < compacted) throw new CompactedError(compacted)
      const range: KeyRange = { start: place, isAfterStart: true, end }
      place = walkRevision(environment, range, revision, new PastCursor(environment, range, revision), () => {
        count++
        return true
      })
      await nextTurn()
    }
    return count
  }
}

const countKey = ({ prefix, revision, key }: ListPlace): string => `${revision}\n${prefix}\n${key}`

/** Keys of the range in the newest state; a loop inside lmdb that builds nothing. */
export const countKeys = ({ scanCurrent }: Environment, { start, isAfterStart, end }: KeyRange): number =>
  scanCurrent.database.getKeysCount({ start, end, exclusiveStart: isAfterStart })
