/** Freezes a value and everything in it, so that changing it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}

/** JSON with sorted keys, for comparisons: the order of keys means nothing. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort())
      : inner,
  ) ?? 'undefined'

const shownLength = 300
/** Throws with both sides when they differ. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [left, right] = [canonical(actual), canonical(expected)]
  if (left === right) return
  let at = 0
  while (left[at] === right[at]) at++
  const from = Math.max(0, at - 40)
  throw new Error(
    `${what}:\n  expected … ${right.slice(from, from + shownLength)}\n  but got  … ${left.slice(from, from + shownLength)}`,
  )
}
