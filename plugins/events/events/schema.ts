import { embedded, field, Int32, Kind, kept, MicroTime, required, type Static, Struct, Text, Time } from 'orch/sdk'
import { EventSource, ObjectReference } from 'orch/sdk/core'

export const EventSeries = Struct(
  'events.v1.EventSeries',
  {
    count: required(1, Int32(), 'How often it has happened so far.'),
    lastObservedTime: required(2, MicroTime(), 'When it last happened.'),
  },
  { description: 'A series of the same event.' },
)
export type EventSeries = Static<typeof EventSeries>

export const Event = Kind(
  'events.v1.Event',
  {
    eventTime: required(2, MicroTime(), 'When it first happened.'),
    series: kept(3, EventSeries, 'Data about a series of the same event.'),
    reportingController: field(4, Text(), 'Name of the controller that reports it, such as example.com/builder.'),
    reportingInstance: field(5, Text(), 'The instance of the controller that reports it.'),
    action: field(6, Text(), 'Machine-readable action in one word.'),
    reason: field(7, Text(), 'Machine-readable reason in one word.'),
    regarding: embedded(8, ObjectReference, 'The object it is about.'),
    related: kept(9, ObjectReference, 'A related object.'),
    note: field(10, Text(), 'Human-readable description of the event. At most 1 kB.'),
    type: field(11, Text(), 'Normal or Warning.'),
    deprecatedSource: embedded(12, EventSource, 'The reporter, in the older form.'),
    deprecatedFirstTimestamp: embedded(13, Time(), 'When it first happened, in the older form.'),
    deprecatedLastTimestamp: embedded(14, Time(), 'When it last happened, in the older form.'),
    deprecatedCount: field(15, Int32(), 'How often it happened, in the older form.'),
  },
  { description: 'A human-readable report about an object. Events are removed after some time.' },
)
export type Event = Static<typeof Event>
