import type { CommittedLog } from './committed-log.js'
import { operationText, type WriteOperation } from './operation.js'
import { type CommittedEvent, eventText } from './version.js'
import { type Violation, violation } from './violation.js'

/** The write behind each event. */
export interface Attribution {
  readonly events: ReadonlyMap<WriteOperation, CommittedEvent>
  /** Writes with an unknown outcome that have not appeared so far; they may later. */
  readonly pending: readonly WriteOperation[]
  readonly violations: readonly Violation[]
}

const fitting: Readonly<Record<WriteOperation['kind'], readonly CommittedEvent['type'][]>> = {
  create: ['ADDED'],
  update: ['MODIFIED'],
  patch: ['MODIFIED'],
  apply: ['ADDED', 'MODIFIED'],
  delete: ['DELETED'],
}

/**
 * Finds the write behind every event: by its unique value, or for a deletion by the uid in its response. An
 * acknowledged write without an event was lost; an event without a write was invented, or the write was refused but applied.
 */
export function attributeWrites(log: CommittedLog, writes: readonly WriteOperation[]): Attribution {
  const violations: Violation[] = []
  const events = new Map<WriteOperation, CommittedEvent>()
  const taken = new Set<WriteOperation>()
  const byValue = new Map(writes.filter(write => write.value !== undefined).map(write => [write.value, write]))
  const deletions = writes.filter(write => write.kind === 'delete' && write.outcome !== 'refused')
  const deletionByUid = new Map(deletions.filter(write => write.uid !== undefined).map(write => [write.uid, write]))

  for (const event of log.events) {
    const before = beforeOf(log, event)
    const write =
      event.type === 'DELETED'
        ? (deletionByUid.get(event.uid) ?? unknownDeletion(deletions, taken, event, before))
        : byValue.get(event.value)
    if (write === undefined) {
      violations.push(
        violation('every event belongs to a write that was sent', `${eventText(event)}: no client sent it`),
      )
      continue
    }
    const problem = mismatch(write, event, before, events.get(write))
    if (problem) violations.push(violation(problem, eventText(event), operationText(write), ...around(log, event)))
    events.set(write, event)
  }
  for (const write of writes) {
    if (write.outcome !== 'ok' || events.has(write)) continue
    const instead = write.revision === undefined ? undefined : log.at(write.revision)
    violations.push(
      violation(
        'no acknowledged write is lost',
        operationText(write),
        instead ? `its revision has ${eventText(instead)}` : 'the committed log does not have it',
      ),
    )
  }
  const pending = writes.filter(write => write.outcome === 'unknown' && !events.has(write) && !taken.has(write))
  return { events, pending, violations }
}

function mismatch(
  write: WriteOperation,
  event: CommittedEvent,
  revisionBefore: number | undefined,
  earlier: CommittedEvent | undefined,
): string | undefined {
  if (write.outcome === 'refused') return 'a refused write changes nothing'
  if (earlier !== undefined) return 'a write is committed once'
  if (write.key !== event.key || !fitting[write.kind].includes(event.type)) return 'a write has the requested effect'
  if (write.revision !== undefined && write.revision !== event.revision)
    return 'a write has the revision of its response'
  if (write.uid !== undefined && write.uid !== event.uid) return 'a write has the uid of its response'
  if (write.expect !== undefined && write.expect !== revisionBefore)
    return 'a write happens only if its precondition holds'
  return undefined
}

/**
 * A deletion with an unknown outcome that may be the cause. If there are several, one is chosen: one with a
 * precondition first, since it could do nothing else, then any. The result starts with the earliest of all, so
 * that the order is checked only by what is certain.
 */
function unknownDeletion(
  deletions: readonly WriteOperation[],
  taken: Set<WriteOperation>,
  event: CommittedEvent,
  revisionBefore: number | undefined,
): WriteOperation | undefined {
  const able = deletions.filter(
    ({ outcome, key, expect }) =>
      outcome === 'unknown' && key === event.key && (expect === undefined || expect === revisionBefore),
  )
  const free = able.filter(write => !taken.has(write))
  const chosen = free.find(({ expect }) => expect !== undefined) ?? free[0]
  if (chosen === undefined) return undefined
  taken.add(chosen)
  return { ...chosen, start: Math.min(...able.map(({ start }) => start)) }
}

/** The revision that the key had before an event. */
function beforeOf(log: CommittedLog, event: CommittedEvent): number | undefined {
  return log.spansOf(event.key).find(({ to }) => to === event.revision)?.version?.revision
}

/** The log of a key around an event. */
function around(log: CommittedLog, event: CommittedEvent): string[] {
  const ofKey = log.eventsOf(event.key)
  const index = ofKey.indexOf(event)
  return ofKey.slice(Math.max(0, index - 2), index + 2).map(each => `the log: ${eventText(each)}`)
}
