import { ApiError } from '../../resource/api-errors.js'
import type { ControlLoopOptions } from '../control-loop.js'

/** Names the collection of Pods for clients and caches. */
export const podCollection = { group: '', version: 'v1', resource: 'pods' } as const

/** How soon a key is looked at again whose objects had changed meanwhile: by then the cache knows. */
const againMs = 50

/** What was based on an old version is no mistake: it is tried again as soon as the new one is known. */
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

/** The shortest of the waits that are known. */
export function soonest(waits: Iterable<number | undefined>): number | undefined {
  let least: number | undefined
  for (const wait of waits) if (wait !== undefined && (least === undefined || wait < least)) least = wait
  return least
}

/** A time as it stands in objects. */
export const timestampOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
