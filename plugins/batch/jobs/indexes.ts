/** Indexes from the first to the last. */
export type Interval = readonly [first: number, last: number]

/**
 * Parses indexes such as `1,3-5,7`, in order and below `completions`; returns a string that describes the problem if
 * invalid.
 */
export function parseIndexes(text: string, completions: number): Interval[] | string {
  if (text === '') return []
  const intervals: Interval[] = []
  for (const part of text.split(',')) {
    const interval = parseInterval(part, completions)
    if (typeof interval === 'string') return interval
    const before = intervals.at(-1)?.[1]
    const [first] = interval
    if (before !== undefined && before >= first) return `non-increasing order, previous: ${before}, current: ${first}`
    intervals.push(interval)
  }
  return intervals
}

function parseInterval(part: string, completions: number): Interval | string {
  const ends = part.split('-')
  if (ends.length > 2 || !ends.every(end => /^\+?\d+$/.test(end)))
    return `the fragment "${part}" violates the requirement that an index interval can have at most two parts separated by '-'`
  const [first = 0, last = first] = ends.map(Number)
  if (first >= completions || last >= completions) return `too large index: "${first >= completions ? first : last}"`
  if (ends.length === 2 && last <= first) return `non-increasing order, previous: ${first}, current: ${last}`
  return [first, last]
}

/**
 * The first index that two lists have in common. Both should be sorted, so one pass is enough. Intervals that cannot be read are skipped:
 * they are reported on their own.
 */
export function firstShared(left: string, right: string, completions: number): number | undefined {
  const readable = (text: string) =>
    text.split(',').flatMap(part => {
      const interval = parseInterval(part, completions)
      return typeof interval === 'string' ? [] : [interval]
    })
  const [lefts, rights] = [readable(left), readable(right)]
  let l = 0
  let r = 0
  while (l < lefts.length && r < rights.length) {
    const [leftFirst, leftLast] = lefts[l]!
    const [rightFirst, rightLast] = rights[r]!
    if (leftFirst <= rightLast && rightFirst <= leftLast) return Math.max(leftFirst, rightFirst)
    if (leftFirst <= rightFirst) l++
    else r++
  }
  return undefined
}
