import { setImmediate } from 'node:timers/promises'

/** Work that yields between its steps. */
export type Steps<T> = Generator<void, T>

/** The event loop is blocked for no longer than this. */
export const turnMs = 20

/** Runs all steps without yielding to the event loop. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs all steps, yielding to the event loop. */
export async function finishInTurns<T>(steps: Steps<T>): Promise<T> {
  let startedAt = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - startedAt > turnMs) {
      await setImmediate()
      startedAt = performance.now()
    }
  }
}
