import { type Interval, parseIndexes } from '../indexes.js'
import type { StoredJob } from './job-state.js'

/** The index of the rule of the success policy that the succeeded indexes fulfil; undefined if none. */
export function fulfilledRule({ spec }: StoredJob, done: ReadonlySet<number>): number | undefined {
  const rules = spec?.successPolicy?.rules ?? []
  const i = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return done.size >= (succeededCount ?? Number.POSITIVE_INFINITY)
    // As intervals, because a few characters may stand for billions of indexes.
    const required = parseIndexes(succeededIndexes, Number.POSITIVE_INFINITY)
    if (typeof required === 'string') return false
    const total = required.reduce((sum, [first, last]) => sum + last - first + 1, 0)
    return countWithin(required, done) >= (succeededCount ?? total)
  })
  return i < 0 ? undefined : i
}

const noInterval: Interval = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]

/** How many of the numbers are in the intervals, which are sorted. */
function countWithin(intervals: readonly Interval[], numbers: ReadonlySet<number>): number {
  let at = 0
  let count = 0
  for (const number of [...numbers].sort((a, b) => a - b)) {
    while ((intervals[at] ?? noInterval)[1] < number) at++
    if ((intervals[at] ?? noInterval)[0] <= number) count++
  }
  return count
}
