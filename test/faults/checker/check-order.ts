import type { CommittedLog, Span } from './committed-log.js'
import {
  type GetOperation,
  isGet,
  isList,
  isWrite,
  type Operation,
  operationText,
  type WriteOperation,
} from './operation.js'
import { type CommittedEvent, eventText, type Version } from './version.js'
import { type Violation, violation } from './violation.js'

/** An operation that must be placed among the revisions. */
interface Placed {
  readonly operation: Operation
  readonly start: number
  /** Infinite if its end is unknown. */
  readonly end: number
  readonly isWrite: boolean
  /** The first revision at or after the given one at which it can have happened. */
  place(notBefore: number): number | undefined
}

/**
 * Linearizability, of each key and of all together: there is an order of all operations that explains every answer and in
 * which an operation that ended before another started comes first.
 *
 * In general that is a search over orders (Wing and Gong). Here the revisions determine the order of the writes,
 * so only reads and refusals have a choice: the span of revisions in which the key was as they saw it. In the order of time,
 * each is placed as early as possible, but not before operations that had already ended; a later place could only leave less room for those
 * that follow, so no search is needed. An operation without a place proves that no order exists.
 */
export function checkOrder(
  log: CommittedLog,
  operations: readonly Operation[],
  committed: ReadonlyMap<WriteOperation, CommittedEvent>,
): Violation[] {
  const violations: Violation[] = []
  const all = [...new Set<Operation>([...committed.keys(), ...operations])]
  const placed = all.map(operation => placedOf(log, operation, committed)).filter(each => each !== undefined)
  const moments = placed
    .flatMap((each, index) => [
      { time: each.start, index, isEnd: false },
      { time: each.end, index, isEnd: true },
    ])
    // An operation that starts when another ends is not after it.
    .sort((one, other) => one.time - other.time || Number(one.isEnd) - Number(other.isEnd))
  const places: number[] = []
  let reached = log.start
  let reachedBy: Operation | undefined
  for (const { index, isEnd } of moments) {
    const each = placed[index]!
    if (isEnd) {
      const place = places[index]!
      if (place <= reached || each.end === Infinity) continue
      reached = place
      reachedBy = each.operation
      continue
    }
    const place = each.place(each.isWrite ? reached + 1 : reached)
    places[index] = place ?? reached
    if (place === undefined) violations.push(describe(log, each, reached, reachedBy))
  }
  return violations
}

function placedOf(
  log: CommittedLog,
  operation: Operation,
  committed: ReadonlyMap<WriteOperation, CommittedEvent>,
): Placed | undefined {
  const { start, outcome } = operation
  const end = outcome === 'unknown' ? Infinity : operation.end
  const exactly = (revision: number) => (notBefore: number) => (revision >= notBefore ? revision : undefined)
  if (isList(operation)) {
    // A list of the past says nothing about the time of the request.
    if (operation.kind === 'exact' || outcome !== 'ok') return undefined
    return { operation, start, end, isWrite: false, place: exactly(operation.revision) }
  }
  if (isWrite(operation)) {
    const event = committed.get(operation)
    if (event) return { operation, start, end, isWrite: true, place: exactly(event.revision) }
  }
  const isPossible = expectationOf(operation)
  if (!isPossible) return undefined
  const spans = log.spansOf(operation.key)
  return { operation, start, end, isWrite: false, place: notBefore => firstIn(spans, isPossible, notBefore) }
}

/** The state of the key that this response implies; undefined if it implies none. */
function expectationOf(
  operation: GetOperation | WriteOperation,
): ((version: Version | undefined) => boolean) | undefined {
  if (isGet(operation) && operation.outcome === 'ok') {
    const { found } = operation
    return version => version?.revision === found?.revision && version?.value === found?.value
  }
  if (operation.outcome !== 'refused') return undefined
  if (operation.refusal === 'absent') return version => version === undefined
  if (operation.refusal === 'exists') return version => version !== undefined
  if (operation.refusal === 'conflict' && isWrite(operation) && operation.expect !== undefined) {
    const { expect } = operation
    return version => version?.revision !== expect
  }
  return undefined
}

function firstIn(
  spans: readonly Span[],
  isPossible: (version: Version | undefined) => boolean,
  notBefore: number,
): number | undefined {
  const span = spans.find(({ to, version }) => to > notBefore && isPossible(version))
  return span && Math.max(span.from, notBefore)
}

function describe(
  log: CommittedLog,
  { operation, isWrite: writes, place }: Placed,
  reached: number,
  by?: Operation,
): Violation {
  const rule = writes
    ? 'a write that begins after another operation ended has a later revision'
    : place(log.start) === undefined
      ? 'a read sees what was committed'
      : 'a read sees everything that was acknowledged before it began'
  const seen = by
    ? `before it began, revision ${reached} was reached by ${operationText(by)}`
    : `the start was at ${reached}`
  const history = isList(operation) ? [] : log.eventsOf(operation.key)
  const nearby = history.filter(({ revision }) => revision <= reached + 20).slice(-4)
  return violation(rule, operationText(operation), seen, ...nearby.map(event => `the log: ${eventText(event)}`))
}
