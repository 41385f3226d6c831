import { attributeWrites } from './attribute-writes.js'
import { checkLists } from './check-lists.js'
import { checkLog } from './check-log.js'
import { checkOrder } from './check-order.js'
import { checkWatches } from './check-watches.js'
import { CommittedLog } from './committed-log.js'
import { isList, isWrite, type Operation, type WatchSegment, type WriteOperation } from './operation.js'
import type { CommittedEvent, Version } from './version.js'
import type { Violation } from './violation.js'

/** Everything that happened between two quiet moments. */
export interface Epoch {
  readonly start: number
  readonly state: ReadonlyMap<string, Version>
  /** The committed log according to the server at the end. */
  readonly events: readonly CommittedEvent[]
  readonly operations: readonly Operation[]
  /** Writes of unknown outcome of earlier epochs that have not appeared. */
  readonly pending: readonly WriteOperation[]
  readonly watches: readonly WatchSegment[]
}

export interface Verdict {
  readonly violations: readonly Violation[]
  /** What the next epoch needs; everything else can be discarded. */
  readonly state: ReadonlyMap<string, Version>
  readonly pending: readonly WriteOperation[]
  readonly verified: Verified
}
export interface Verified {
  readonly acknowledgedWrites: number
  /** Writes of unknown outcome that turned out to be committed. */
  readonly resolvedWrites: number
  readonly events: number
  readonly watchedEvents: number
  readonly lists: number
  readonly reads: number
}

export function checkEpoch(epoch: Epoch): Verdict {
  const log = new CommittedLog(epoch.start, epoch.state, epoch.events)
  const writes = [...epoch.pending, ...epoch.operations.filter(isWrite)]
  const lists = epoch.operations.filter(isList).filter(({ outcome }) => outcome === 'ok')
  const { events, pending, violations } = attributeWrites(log, writes)
  const resolved = [...events.keys()].filter(({ outcome }) => outcome === 'unknown')
  const reads = epoch.operations.filter(({ kind, outcome }) => kind === 'get' && outcome === 'ok')
  return {
    violations: [
      ...checkLog(log),
      ...violations,
      ...checkOrder(log, [...epoch.pending, ...epoch.operations], events),
      ...checkLists(log, lists),
      ...checkWatches(log, epoch.watches),
    ],
    state: log.final(),
    pending,
    verified: {
      acknowledgedWrites: writes.filter(({ outcome }) => outcome === 'ok').length,
      resolvedWrites: resolved.length,
      events: log.events.length,
      watchedEvents: epoch.watches.reduce((sum, watch) => sum + watch.events.length, 0),
      lists: lists.length,
      reads: reads.length,
    },
  }
}
