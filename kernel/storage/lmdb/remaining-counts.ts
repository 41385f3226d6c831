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
    const end = prefixEnd(Buffer.from(prefix))
    let range: KeyRange | undefined = { start: Buffer.from(key), isAfterStart: true, end }
    let count = 0
    // While nothing has been written since, lmdb counts without building keys.
    while (environment.readState().revision === revision) {
      const skipped: Buffer | undefined = keyAfterPart(environment, range)
      if (skipped === undefined) return count + countKeys(environment, range)
      count += environment.limits.keysPerCount + 1
      range = { start: skipped, isAfterStart: true, end }
      await nextTurn()
    }
    while (range !== undefined) {
      const { compacted } = environment.readState()
      if (revision < compacted) throw new CompactedError(compacted)
      const rest: KeyRange = range
      const resume = walkRevision(environment, rest, revision, new PastCursor(environment, rest, revision), () => {
        count++
        return true
      })
      range = resume && { start: resume, isAfterStart: true, end }
      await nextTurn()
    }
    return count
  }
}

/** The key that follows as many as are counted in one turn; undefined if there are fewer. A small store is counted at once. */
function keyAfterPart(environment: Environment, { start, isAfterStart, end }: KeyRange): Buffer | undefined {
  const { scanCurrent, limits } = environment
  if (environment.keyCount() <= limits.keysPerCount) return undefined
  const { database, key } = scanCurrent
  for (const _ of database.getKeys({ start, end, exclusiveStart: isAfterStart, offset: limits.keysPerCount, limit: 1 }))
    return Buffer.from(key.bytes.subarray(key.start, key.end))
  return undefined
}

const countKey = ({ prefix, revision, key }: ListPlace): string => `${revision}\n${prefix}\n${key}`

/** Keys of the range in the newest state; a loop inside lmdb that builds nothing. */
export const countKeys = ({ scanCurrent }: Environment, { start, isAfterStart, end }: KeyRange): number =>
  scanCurrent.database.getKeysCount({ start, end, exclusiveStart: isAfterStart })
