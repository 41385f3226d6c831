import { type ApiObject, ageOf } from 'orch/sdk'
import type { Painter } from '../../output/painter.js'
import { TextTable } from '../../output/text-table.js'

/** The fields of an Event that are shown. */
export interface EventObject extends ApiObject {
  type?: string
  reason?: string
  message?: string
  count?: number
  firstTimestamp?: string | null
  lastTimestamp?: string | null
  eventTime?: string | null
  reportingComponent?: string
  source?: { component?: string }
  involvedObject?: { kind?: string; name?: string }
  series?: { count?: number; lastObservedTime?: string } | null
}

/** When the event last occurred. */
export const timeOfEvent = (event: EventObject): string =>
  event.series?.lastObservedTime || event.lastTimestamp || event.eventTime || event.metadata.creationTimestamp || ''

/** How long ago the event occurred, and how often. */
export function eventAge(event: EventObject, now: number): string {
  const last = ageOf(timeOfEvent(event), now)
  const count = event.series?.count ?? event.count ?? 1
  if (count <= 1) return last
  return `${last} (x${count} over ${ageOf(event.firstTimestamp || event.eventTime || timeOfEvent(event), now)})`
}

/** The events as a table, oldest first. */
export function describeEvents(events: readonly EventObject[], now: number, paint: Painter): string {
  if (events.length === 0) return 'Events:  <none>\n'
  const rows = [...events]
    .sort((left, right) => (timeOfEvent(left) < timeOfEvent(right) ? -1 : 1))
    .map(event => [
      event.type ?? '',
      event.reason ?? '',
      eventAge(event, now),
      event.source?.component || event.reportingComponent || '',
      event.message?.trim() ?? '',
    ])
  const table = new TextTable(['Type', 'Reason', 'Age', 'From', 'Message'], paint).print(rows, true)
  return `Events:\n${table.replace(/^/gm, '  ').trimEnd()}\n`
}
