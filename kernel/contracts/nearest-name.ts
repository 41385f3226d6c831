/**
 * The edit distance: how many letters must be changed, added, dropped or swapped to turn one word into the other; `limit` or more for
 * `limit` and all that is farther.
 */
function editDistance(from: string, to: string, limit: number): number {
  const isFar = (distance: number) => distance >= limit
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const current = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      let best = Math.min(change, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1)
      if (from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1)
      current.push(best)
    }
    // A swap reaches back two rows.
    if (current.every(isFar) && previous.every(isFar)) return limit
    beforePrevious = previous
    previous = current
  }
  return previous[to.length] ?? 0
}

/** The known name that was probably meant, if any is close enough: by default at most a third of the letters may differ. */
export function nearestName(
  typed: string,
  known: Iterable<string>,
  maxDistance = Math.max(1, Math.floor(typed.length / 3)),
): string | undefined {
  let nearest: string | undefined
  let distance = maxDistance + 1
  for (const name of known) {
    // Each letter more is a difference.
    if (Math.abs(name.length - typed.length) >= distance) continue
    const d = editDistance(typed.toLowerCase(), name.toLowerCase(), distance)
    if (d < distance) {
      nearest = name
      distance = d
    }
  }
  return nearest
}
