/** What expressions may cost in all until somebody is told that it is too much. */
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

/** Runs something on the account of a meter. Expressions never wait, so there is one at a time. */
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
