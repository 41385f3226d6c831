/**
 * For each value of a list, whether the same value stands before it. They are looked up, not searched: a client may send
 * a hundred thousand, and searching for each of them would hold the server for minutes.
 */
export function repeats(values: readonly unknown[]): readonly boolean[] {
  const seen = new Set<unknown>()
  return values.map(value => seen.size === seen.add(value).size)
}
