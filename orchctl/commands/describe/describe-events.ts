import { type ApiObject, ageOf } from 'orch/sdk'
import type { Painter } from '../../output/painter.js'
import { TextTable } from '../../output/text-table.js'

/** What happened to an object, as far as it is shown. */
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
}

/** The events as a table, oldest first. */
export function describeEvents(events: readonly EventObject[], now: number, paint: Painter): string {
  if (events.length === 0) return 'Events:  <none>\n'
  const timeOf = (event: EventObject) =>
    event.lastTimestamp || event.eventTime || event.metadata.creationTimestamp || ''
  const rows = [...events]
    .sort((left, right) => (timeOf(left) < timeOf(right) ? -1 : 1))
    .map(event => {
      const count = event.count ?? 1
      const since = ageOf(event.firstTimestamp || timeOf(event), now)
      return [
        event.type ?? '',
        event.reason ?? '',
        count > 1 ? `${ageOf(timeOf(event), now)} (x${count} over ${since})` : ageOf(timeOf(event), now),
        event.source?.component || event.reportingComponent || '',
        event.message?.trim() ?? '',
      ]
    })
  const table = new TextTable(['Type', 'Reason', 'Age', 'From', 'Message'], paint).print(rows, true)
  return `Events:\n${table.replace(/^/gm, '  ').trimEnd()}\n`
}
