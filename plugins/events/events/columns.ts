import { ageOf, type Column } from 'orch/sdk'
import type { Event } from 'orch/sdk/core'

const text = (name: string, description: string, cell: Column<Event>['cell'], priority = 0): Column<Event> => ({
  name,
  type: 'string',
  description,
  priority,
  cell,
})

function about({ involvedObject }: Event): string {
  const kind = (involvedObject.kind ?? '').toLowerCase()
  return involvedObject.name ? `${kind}/${involvedObject.name}` : kind
}
const firstSeen = ({ firstTimestamp, eventTime }: Event) => firstTimestamp ?? eventTime
const lastSeen = (event: Event) => event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event)

/** Newer reporters name themselves outside the source. */
function sourceText({ source, reportingComponent = '', reportingInstance = '' }: Event): string {
  const component = source?.component || reportingComponent
  const instance = source?.host || reportingInstance
  return instance ? `${component}, ${instance}` : component
}

export const columns: readonly Column<Event>[] = [
  text('Last Seen', 'When it last happened.', (event, now) => ageOf(lastSeen(event), now)),
  text('Type', 'Normal, or a warning.', ({ type = '' }) => type),
  text('Reason', 'Why it happened, in one word.', ({ reason = '' }) => reason),
  text('Object', 'What it happened to.', about),
  text('Subobject', 'Which part of it.', ({ involvedObject }) => involvedObject.fieldPath ?? '', 1),
  text('Source', 'Who reported it.', sourceText, 1),
  text('Message', 'What happened.', ({ message = '' }) => message.trim()),
  text('First Seen', 'When it first happened.', (event, now) => ageOf(firstSeen(event), now), 1),
  text('Count', 'How often it happened.', ({ series, count = 0 }) => series?.count ?? (count || 1), 1),
  text('Name', 'Name of the event.', ({ metadata }) => metadata?.name ?? '', 1),
]
