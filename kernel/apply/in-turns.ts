/**
 * Work in several turns: it yields between its parts, so that whoever runs it may let others have the event loop. Large objects take
 * hundreds of milliseconds otherwise.
 */
export type InTurns<T> = Generator<undefined, T, undefined>

/** Does the work without letting anybody else in. */
export function atOnce<T>(work: InTurns<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Does the work, yielding to the event loop between its parts if the request is large: see `RequestContext.yieldIfLarge`. */
export function runInTurns<T>(context: TurnTaker, work: InTurns<T>): T | Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    const yielding = context.yieldIfLarge()
    if (yielding) return yielding.then(() => runInTurns(context, work))
  }
}
interface TurnTaker {
  yieldIfLarge(): Promise<void> | undefined
}
