import { Kind } from '../meta.js'
import { embedded, field, Int32, kept, MicroTime, needed, type Static, Struct, Text, Time } from '../schema.js'
import { ObjectReference } from './references.js'

/** Who reported an event. */
export const EventSource = Struct('core.v1.EventSource', {
  component: field(1, Text()),
  host: field(2, Text()),
})
export type EventSource = Static<typeof EventSource>

/** How often an event repeated. */
export const EventSeries = Struct('core.v1.EventSeries', {
  count: field(1, Int32()),
  lastObservedTime: embedded(2, MicroTime()),
})
export type EventSeries = Static<typeof EventSeries>

/** Something that happened to an object, as the core group writes it. */
export const Event = Kind('core.v1.Event', {
  involvedObject: needed(2, ObjectReference),
  reason: field(3, Text()),
  message: field(4, Text()),
  source: embedded(5, EventSource),
  firstTimestamp: embedded(6, Time()),
  lastTimestamp: embedded(7, Time()),
  count: field(8, Int32()),
  type: field(9, Text()),
  eventTime: embedded(10, MicroTime()),
  series: kept(11, EventSeries),
  action: field(12, Text()),
  related: kept(13, ObjectReference),
  reportingComponent: embedded(14, Text()),
  reportingInstance: embedded(15, Text()),
})
export type Event = Static<typeof Event>
