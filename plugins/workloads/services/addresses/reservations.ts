import { randomInt } from 'node:crypto'

/** Long enough for a Service that was given something to be stored and seen by the cache. */
const reservedMs = 10_000
/** Random tries before looking at everything in order. */
const tries = 32

/** Remembers for a moment what was given away, until the object that got it can be seen in the store. */
export class Reservations {
  readonly #until = new Map<string, number>()

  isReserved(value: string, now: number): boolean {
    const until = this.#until.get(value)
    if (until === undefined) return false
    if (until > now) return true
    this.#until.delete(value)
    return false
  }

  reserve(value: string, now: number): void {
    for (const [old, until] of this.#until) if (until <= now) this.#until.delete(old)
    this.#until.set(value, now + reservedMs)
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
