import { Kind } from '../resource/meta.js'
import {
  embedded,
  field,
  Int32,
  kept,
  MicroTime,
  required,
  type Static,
  Struct,
  Text,
  Time,
} from '../resource/schema.js'
import { ObjectReference } from './references.js'

/** Who reported an event. */
export const EventSource = Struct(
  'core.v1.EventSource',
  {
    component: field(1, Text(), 'Name of the component.'),
    host: field(2, Text(), 'Node that it runs on.'),
  },
  { description: 'The source of an event.' },
)
export type EventSource = Static<typeof EventSource>

/** How often an event repeated. */
export const EventSeries = Struct(
  'core.v1.EventSeries',
  {
    count: field(1, Int32(), 'How often it has occurred so far.'),
    lastObservedTime: embedded(2, MicroTime(), 'When it last happened.'),
  },
  { description: 'A series of the same event.' },
)
export type EventSeries = Static<typeof EventSeries>

/** Something that happened to an object, as the core group writes it. */
export const Event = Kind(
  'core.v1.Event',
  {
    involvedObject: required(2, ObjectReference, 'The object it is about.'),
    reason: field(3, Text(), 'Machine-readable reason in one word.'),
    message: field(4, Text(), 'Human-readable description of the event.'),
    source: embedded(5, EventSource, 'The component that reports it.'),
    firstTimestamp: embedded(6, Time(), 'When it first happened.'),
    lastTimestamp: embedded(7, Time(), 'When it last happened.'),
    count: field(8, Int32(), 'How often it has happened.'),
    type: field(9, Text(), 'Normal or Warning.'),
    eventTime: embedded(10, MicroTime(), 'When it first happened, to the microsecond.'),
    series: kept(11, EventSeries, 'Data about a series of the same event.'),
    action: field(12, Text(), 'The action in one word, for programs.'),
    related: kept(13, ObjectReference, 'A related object.'),
    reportingComponent: embedded(14, Text(), 'Name of the controller that reports it.'),
    reportingInstance: embedded(15, Text(), 'The instance of the controller that reports it.'),
  },
  { description: 'Something that happened, reported for people. Events are removed after a while.' },
)
export type Event = Static<typeof Event>
