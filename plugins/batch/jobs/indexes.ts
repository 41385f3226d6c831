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
    const ends = part.split('-')
    if (ends.length > 2 || !ends.every(end => /^\d+$/.test(end)))
      return `the fragment "${part}" violates the requirement that an index interval can have at most two parts separated by '-'`
    const [first = 0, last = first] = ends.map(Number)
    if (first >= completions || last >= completions) return `too large index: "${first >= completions ? first : last}"`
    if (ends.length === 2 && last <= first) return `non-increasing order, previous: ${first}, current: ${last}`
    const before = intervals.at(-1)?.[1]
    if (before !== undefined && before >= first) return `non-increasing order, previous: ${before}, current: ${first}`
    intervals.push([first, last])
  }
  return intervals
}
