import {
  EventSource,
  embedded,
  field,
  Int32,
  Kind,
  kept,
  MicroTime,
  needed,
  ObjectReference,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

export const EventSeries = Struct('events.v1.EventSeries', {
  count: needed(1, Int32()),
  lastObservedTime: needed(2, MicroTime()),
})
export type EventSeries = Static<typeof EventSeries>

export const Event = Kind('events.v1.Event', {
  eventTime: needed(2, MicroTime()),
  series: kept(3, EventSeries),
  reportingController: field(4, Text()),
  reportingInstance: field(5, Text()),
  action: field(6, Text()),
  reason: field(7, Text()),
  regarding: embedded(8, ObjectReference),
  related: kept(9, ObjectReference),
  note: field(10, Text()),
  type: field(11, Text()),
  deprecatedSource: embedded(12, EventSource),
  deprecatedFirstTimestamp: embedded(13, Time()),
  deprecatedLastTimestamp: embedded(14, Time()),
  deprecatedCount: field(15, Int32()),
})
export type Event = Static<typeof Event>
