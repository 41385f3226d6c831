import { Kind, kept, type Static, Struct } from 'orch/sdk'
import * as stable from './schema.js'

/** The same fields as in v1, under the names of the older version. */
export const EventSeries = Struct('events.v1beta1.EventSeries', stable.EventSeries.properties)
export type EventSeries = Static<typeof EventSeries>

const { metadata: _, ...fields } = stable.Event.properties
export const Event = Kind(
  'events.v1beta1.Event',
  { ...fields, series: kept(3, EventSeries, 'Data about a series of the same event.') },
  { description: 'A human-readable report about an object.' },
)
export type Event = Static<typeof Event>
