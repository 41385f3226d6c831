import type { Meter } from './meter.js'

/** The state of one evaluation of an expression. */
export class Frame {
  /** The variables of the expression, by name. */
  readonly values: Readonly<Record<string, unknown>>
  readonly meter: Meter
  /** The variables of loops, by slot. */
  readonly locals: unknown[]

  constructor(values: Readonly<Record<string, unknown>>, meter: Meter, places: number) {
    this.values = values
    this.meter = meter
    this.locals = new Array(places)
  }
}

/** A compiled part of an expression. Throws a Failure if it has no value. */
export type Step = (frame: Frame) => unknown

/** An evaluation error. Not a subclass of Error: it is often absorbed by a logical operator, and capturing a stack is expensive. */
export class Failure {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** Returns the failure that was thrown. Rethrows if it cannot be absorbed: exceeding the budget is final. */
export function absorbed(thrown: unknown, { meter }: Frame): Failure {
  if (meter.isEmpty || !(thrown instanceof Failure)) throw thrown
  return thrown
}
