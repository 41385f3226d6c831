import type { CommittedLog } from './committed-log.js'
import { type CommittedEvent, eventText, type Version } from './version.js'
import { type Violation, violation } from './violation.js'

/** Checks that the log is consistent: revisions increase, and each event fits the state before it. */
export function checkLog(log: CommittedLog): Violation[] {
  const violations: Violation[] = []
  const state = new Map(log.initial)
  let previous = log.start
  for (const event of log.events) {
    if (event.revision <= previous) {
      violations.push(violation('revisions rise', `after ${previous} came ${eventText(event)}`))
    }
    previous = event.revision
    const problem = problemOf(event, state.get(event.key))
    if (problem !== undefined) violations.push(violation('every event fits the state before it', problem))
    if (event.type === 'DELETED') state.delete(event.key)
    else state.set(event.key, event)
  }
  return violations
}

function problemOf(event: CommittedEvent, before: Version | undefined): string | undefined {
  const told = eventText(event)
  if (event.type === 'ADDED') return before && `${told}, but the key existed since ${before.revision}`
  if (before === undefined) return `${told}, but the key did not exist`
  if (event.uid !== before.uid) return `${told} has another uid than revision ${before.revision}`
  if (event.type === 'DELETED' && event.value !== before.value) {
    return `${told}, but what was stored was ${before.value} of revision ${before.revision}`
  }
  return undefined
}
