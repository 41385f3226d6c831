import type { Revision } from 'orch/sdk/host'
import { afterPastOf, modRevisionOf, previousLengthOf, previousStartOf } from '../revision.js'
import type { Environment, ScannedKey } from './environment.js'
import type { KeyRange, PastVersion, PastVersions } from './past-cursor.js'

/** Takes the record at `value[start..end]`; valid only during the call, which must not read the store. False stops the walk. */
export type Offer = (value: Buffer, start: number, end: number, key: ScannedKey) => boolean

/**
 * Offers every record that was current at `revision`, in key order, from the snapshot of this turn.
 *
 * A record was current then if it is current now and not newer, or if it was replaced later. A key is in at most one of the
 * two sets, so they are merged. `pasts` is the second; undefined when nothing has been written since.
 *
 * Returns the key after which to go on, or undefined at the end of the range.
 */
export function walkRevision(
  environment: Environment,
  { start, isAfterStart, end }: KeyRange,
  revision: Revision,
  pasts: PastVersions | undefined,
  offer: Offer,
): Buffer | undefined {
  const { scanCurrent, current, log, limits } = environment
  const { key } = scanCurrent
  const isNewest = pasts === undefined
  let past = pasts?.next()
  let isStopped = false
  let isBehindPast = false
  let steps = 0

  const offerPastsBefore = (limit: Buffer): void => {
    while (past !== undefined && !isStopped && past.key.compare(limit) < 0) {
      isStopped = !offerPast(log, past, offer)
      resume = past.key
      past = pasts?.next()
    }
  }
  let resume: Buffer | undefined

  scanCurrent.visit = (value, size) => {
    steps++
    if (!isNewest) {
      if (modRevisionOf(value) > revision) return
      if (past !== undefined && past.key.compare(key.bytes, key.start, key.end) < 0) {
        isBehindPast = true
        return
      }
    }
    isStopped = !offer(value, 0, size, key)
  }
  const items = scanCurrent.database.getRange({ start, end, exclusiveStart: isAfterStart })[Symbol.iterator]()
  try {
    while (!items.next().done) {
      const isPausing = steps >= limits.keysPerRead
      if (isBehindPast || isStopped || isPausing) {
        const here = Buffer.from(key.bytes.subarray(key.start, key.end))
        // Reads of past versions overwrite the scanned value, so they come between two steps and it is read again.
        if (isBehindPast) {
          isBehindPast = false
          offerPastsBefore(here)
          if (isStopped) return resume
          const value = current.getBinaryFast(here as unknown as string)
          if (value === undefined) throw new Error('a scanned key is not in the store')
          isStopped = !offer(value, 0, value.length, { bytes: here, start: 0, end: here.length })
        }
        if (isStopped) return here
        if (isPausing) {
          offerPastsBefore(afterPastOf(here))
          return isStopped ? resume : here
        }
      }
    }
    while (past !== undefined && !isStopped) {
      isStopped = !offerPast(log, past, offer)
      resume = past.key
      past = pasts?.next()
    }
    return isStopped ? resume : undefined
  } finally {
    items.return?.()
    pasts?.close()
  }
}

/** Offers what a log entry says that it replaced. */
export function offerPast(log: Environment['log'], { key, replacedAt }: PastVersion, offer: Offer): boolean {
  const entry = log.getBinaryFast(replacedAt)
  if (entry === undefined) throw new Error(`revision ${replacedAt} is not in the log`)
  const from = previousStartOf(entry)
  return offer(entry, from, from + previousLengthOf(entry), { bytes: key, start: 0, end: key.length })
}
