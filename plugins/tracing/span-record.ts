import type { SpanContext } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/** What of a span is sent, as a value that can go to another thread. */
export type SpanRecord = Pick<ReadableSpan, 'name' | 'kind' | 'startTime' | 'endTime' | 'attributes' | 'status'> & {
  readonly context: Omit<SpanContext, 'traceState'>
  readonly traceState: string | undefined
  readonly parent: Omit<SpanContext, 'traceState'> | undefined
}

export function recordOf(span: ReadableSpan): SpanRecord {
  const { name, kind, startTime, endTime, attributes, status, parentSpanContext: parent } = span
  const context = span.spanContext()
  return {
    name,
    kind,
    startTime,
    endTime,
    attributes,
    status,
    context: plain(context),
    traceState: context.traceState?.serialize(),
    parent: parent && plain(parent),
  }
}

const plain = ({ traceId, spanId, traceFlags, isRemote = false }: SpanContext) => ({
  traceId,
  spanId,
  traceFlags,
  isRemote,
})

/** The span again, as exporters want it. */
export function spanOf({ context, traceState, parent, ...facts }: SpanRecord, resource: Resource): ReadableSpan {
  const whole: SpanContext = traceState === undefined ? context : { ...context, traceState: writtenState(traceState) }
  return {
    ...facts,
    spanContext: () => whole,
    ...(parent ? { parentSpanContext: parent } : {}),
    resource,
    instrumentationScope: { name: 'orch' },
    duration: [0, 0],
    ended: true,
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** A state that is only handed on. */
function writtenState(text: string): NonNullable<SpanContext['traceState']> {
  const state = { get: () => undefined, set: () => state, unset: () => state, serialize: () => text }
  return state
}
