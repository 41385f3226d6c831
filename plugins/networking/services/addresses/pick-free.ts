import { randomInt } from 'node:crypto'

/** Random tries before looking at everything in order. */
const tries = 32

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
