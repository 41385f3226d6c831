/**
 * Work that yields between its parts, so that its caller can let other requests use the event loop. Large objects would
 * otherwise block it for hundreds of milliseconds.
 */
export type InTurns<T> = Generator<undefined, T, undefined>

/** Runs the work without yielding. */
export function atOnce<T>(work: InTurns<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/**
 * Runs the work, yielding to the event loop between its parts if the request is large: see
 * `RequestContext.yieldIfLarge`.
 */
export function runInTurns<T>(context: TurnTaker, work: InTurns<T>): T | Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    const yielding = context.yieldIfLarge()
    if (yielding) return yielding.then(() => runInTurns(context, work))
  }
}
/** A request, as work that yields sees it. */
export interface TurnTaker {
  readonly isLarge: boolean
  yieldIfLarge(): Promise<void> | undefined
}
