/** The candidate that is closest to `word`, with an edit distance of at most two. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [closest] = candidates
    .map(name => ({ name, far: distance(name, word) }))
    .filter(({ name, far }) => far <= 2 && far < name.length)
    .sort((left, right) => left.far - right.far)
  return closest?.name
}

/** The Levenshtein distance. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++)
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1),
      )
    previous = current
  }
  return previous[right.length] ?? 0
}
