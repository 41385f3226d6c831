import type { CommittedLog } from './committed-log.js'
import type { WatchSegment } from './operation.js'
import { type CommittedEvent, eventText } from './version.js'
import { type Violation, violation } from './violation.js'

/** Every watch must be exactly the part of the log between its start and its progress. */
export function checkWatches(log: CommittedLog, watches: readonly WatchSegment[]): Violation[] {
  return watches.flatMap(watch => {
    const from = Math.max(watch.from, log.start)
    const expected = log.events.filter(
      ({ revision, key }) => revision > from && revision <= watch.through && (watch.key ?? key) === key,
    )
    const index = firstDifference(watch.events, expected)
    return index === undefined ? [] : [describe(watch, expected, index)]
  })
}

function firstDifference(seen: readonly CommittedEvent[], expected: readonly CommittedEvent[]): number | undefined {
  for (let index = 0; index < Math.max(seen.length, expected.length); index++) {
    const [one, other] = [seen[index], expected[index]]
    if (!one || !other || eventText(one) !== eventText(other) || one.uid !== other.uid) return index
  }
  return undefined
}

function describe(watch: WatchSegment, expected: readonly CommittedEvent[], index: number): Violation {
  const [seen, wanted] = [watch.events[index], expected[index]]
  const text = (event: CommittedEvent | undefined) => (event ? eventText(event) : 'nothing')
  const before = watch.events.slice(Math.max(0, index - 3), index).map(event => `it saw ${eventText(event)}`)
  return violation(
    ruleOf(watch, expected, index),
    `${watch.watcher} from ${watch.from} to ${watch.through}`,
    ...before,
    `then it saw ${text(seen)}`,
    `the log has ${text(wanted)}`,
  )
}

function ruleOf(watch: WatchSegment, expected: readonly CommittedEvent[], index: number): string {
  const [seen, wanted] = [watch.events[index], expected[index]]
  const isIn = (events: readonly CommittedEvent[], event: CommittedEvent) =>
    events.some(each => eventText(each) === eventText(event))
  if (seen && isIn(watch.events.slice(0, index), seen)) return 'a watch sees no event twice'
  if (seen && !isIn(expected, seen)) return 'a watch sees only what was committed'
  if (wanted && isIn(watch.events.slice(index), wanted)) return 'a watch sees events in order'
  return 'a watch misses no event'
}
