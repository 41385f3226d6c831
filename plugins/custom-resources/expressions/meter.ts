/** A cost budget. Throws when it is exceeded. */
export class Meter {
  #left: number

  constructor(limit: number) {
    this.#left = limit
  }
  get left(): number {
    return this.#left
  }
  get isEmpty(): boolean {
    return this.#left < 0
  }
  charge(cost: number): void {
    this.#left -= cost
    if (this.#left < 0) throw new Error('operation cancelled: actual cost limit exceeded')
  }
}

let current = new Meter(Number.POSITIVE_INFINITY)

/** Runs a function with `charge` applied to this meter. Evaluation is synchronous, so one meter is active at a time. */
export function metered<T>(meter: Meter, run: () => T): T {
  const before = current
  current = meter
  try {
    return run()
  } finally {
    current = before
  }
}

export const charge = (cost: number): void => current.charge(cost)
