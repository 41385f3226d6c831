/**
 * For each value of a list, whether the same value occurs before it. Values are looked up, not searched for: a client may send a hundred
 * thousand, and searching for each of them would block the server for minutes.
 */
export function repeats(values: readonly unknown[]): readonly boolean[] {
  const seen = new Set<unknown>()
  return values.map(value => seen.size === seen.add(value).size)
}
