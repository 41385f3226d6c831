import { setImmediate } from 'node:timers/promises'

/** Work in steps, between which others may have a turn. */
export type Steps<T> = Generator<void, T>

/** After so long others get a turn. */
export const turnMs = 20

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Does all steps, in turns of the event loop. */
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
