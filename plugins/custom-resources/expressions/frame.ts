import type { Meter } from './meter.js'

/** What one run of an expression works with. */
export class Frame {
  /** The variables of the expression, by their names. */
  readonly values: Readonly<Record<string, unknown>>
  readonly meter: Meter
  /** The variables of loops, by their place. */
  readonly locals: unknown[]

  constructor(values: Readonly<Record<string, unknown>>, meter: Meter, places: number) {
    this.values = values
    this.meter = meter
    this.locals = new Array(places)
  }
}

/** A part of an expression, ready to run. Throws a Failure when it has no value. */
export type Step = (frame: Frame) => unknown

/** Why something has no value. No Error: a logical operator may well absorb it, and a stack would cost more than all the rest. */
export class Failure {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** What was thrown, if it may be absorbed: running out of budget is final. */
export function absorbed(thrown: unknown, { meter }: Frame): Failure {
  if (meter.isEmpty || !(thrown instanceof Failure)) throw thrown
  return thrown
}
