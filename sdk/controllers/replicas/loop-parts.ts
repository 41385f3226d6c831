import { ApiError } from '../../resource/api-errors.js'
import type { ControlLoopOptions } from '../control-loop.js'

/** The collection of Pods, for clients and caches. */
export const podCollection = { group: '', version: 'v1', resource: 'pods' } as const

/** The delay after a conflict: by then the cache is up to date. */
const againMs = 50

/** Retries conflicts after a short delay instead of reporting them as failures: the cache was outdated. */
export const withoutConflicts =
  (reconcile: ControlLoopOptions['reconcile']): ControlLoopOptions['reconcile'] =>
  async (key, caches) => {
    try {
      return await reconcile(key, caches)
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'Conflict') return { requeueAfterMs: againMs }
      throw error
    }
  }

/** The shortest of the defined delays. */
export function soonest(waits: Iterable<number | undefined>): number | undefined {
  let least: number | undefined
  for (const wait of waits) if (wait !== undefined && (least === undefined || wait < least)) least = wait
  return least
}
