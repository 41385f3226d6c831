import type { Revision } from 'orch/sdk/host'
import { modRevisionOf } from '../revision.js'
import type { Environment } from './environment.js'
import type { KeyRange, PastVersions } from './past-cursor.js'
import { type Offer, offerPast } from './walk-revision.js'

/**
 * Like `walkRevision`, but reads only the given keys, which are in byte order and exist in the snapshot of this turn, and every
 * past version: what has been changed since may have matched then.
 */
export function walkKeys(
  environment: Environment,
  keys: readonly Buffer[],
  { start, isAfterStart }: KeyRange,
  revision: Revision,
  pasts: PastVersions | undefined,
  offer: Offer,
): Buffer | undefined {
  const { current, log, limits } = environment
  const offerCurrent = (key: Buffer): boolean => {
    const value = current.getBinaryFast(key as unknown as string)
    if (value === undefined) throw new Error('an indexed key is not in the store')
    if (modRevisionOf(value) > revision) return true
    return offer(value, 0, value.length, { bytes: key, start: 0, end: key.length })
  }
  try {
    let index = firstAfter(keys, start, isAfterStart)
    let past = pasts?.next()
    for (let steps = 1; ; steps++) {
      const key = keys[index]
      let isWanted: boolean
      let last: Buffer
      // A key that is in both was changed since: its past version is the one that counts, and the other is left out.
      if (past !== undefined && (key === undefined || past.key.compare(key) <= 0)) {
        last = past.key
        isWanted = offerPast(log, past, offer)
        past = pasts?.next()
      } else if (key !== undefined) {
        last = key
        isWanted = offerCurrent(key)
        index++
      } else return undefined
      if (!isWanted || steps >= limits.keysPerRead) return last
    }
  } finally {
    pasts?.close()
  }
}

/** The place of the first key that is not before `start`. */
function firstAfter(keys: readonly Buffer[], start: Buffer, isAfterStart: boolean): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]!.compare(start) < (isAfterStart ? 1 : 0)) low = middle + 1
    else high = middle
  }
  return low
}
