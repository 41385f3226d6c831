import { randomInt } from 'node:crypto'

/** Long enough for a Service that was given something to be stored and seen by the cache. */
const reservedMs = 10_000
/** Random tries before looking at everything in order. */
const tries = 32

/** Whom something was given to: the name of the object, or its request while it has none. */
export type Holder = string | object

/** Remembers for a moment what was given away, until the object that got it can be seen in the store. */
export class Reservations {
  readonly #given = new Map<string, { readonly until: number; readonly holder: Holder }>()

  /** Is it given to somebody else? */
  isReserved(value: string, now: number, holder: Holder): boolean {
    const given = this.#given.get(value)
    if (given === undefined) return false
    if (given.until > now) return given.holder !== holder
    this.#given.delete(value)
    return false
  }

  reserve(value: string, now: number, holder: Holder): void {
    for (const [old, { until }] of this.#given) if (until <= now) this.#given.delete(old)
    this.#given.set(value, { until: now + reservedMs, holder })
  }
}

/** A random free one of `size` things, or undefined when none is left. */
export function pickFree(
  size: bigint,
  at: (index: bigint) => string,
  isTaken: (value: string) => boolean,
): string | undefined {
  const bound = size > 0x7fffffffn ? 0x7fffffff : Number(size)
  for (let attempt = 0; attempt < tries; attempt++) {
    const value = at(BigInt(randomInt(bound)))
    if (!isTaken(value)) return value
  }
  const start = randomInt(bound)
  for (let step = 0; step < bound; step++) {
    const value = at(BigInt((start + step) % bound))
    if (!isTaken(value)) return value
  }
  return undefined
}
