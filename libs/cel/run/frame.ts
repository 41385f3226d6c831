import { Failure, type Work, WorkExceeded } from './work.js'

/** The state of one evaluation of an expression. */
export class Frame {
  /** The variables of the expression, by name. */
  readonly values: Readonly<Record<string, unknown>>
  readonly work: Work
  /** The variables of loops, by slot. */
  readonly locals: unknown[]

  constructor(values: Readonly<Record<string, unknown>>, work: Work, slots: number) {
    this.values = values
    this.work = work
    this.locals = new Array(slots)
  }
}

/** A compiled part of an expression. Throws a Failure if it has no value. */
export type Step = (frame: Frame) => unknown

/** The work of throwing and catching a Failure. */
const stepsOfFailure = 150

/** Returns the failure that was thrown. Rethrows if it cannot be absorbed: exceeding the budget is final. */
export function absorbed(thrown: unknown, { work }: Frame): Failure {
  if (work.exceeded || thrown instanceof WorkExceeded || !(thrown instanceof Failure)) throw thrown
  work.steps(stepsOfFailure)
  return thrown
}
