import { type SpanContext, type SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import { millisToHrTime, TraceState } from '@opentelemetry/core'
import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import type { TraceAttributes } from 'orch/sdk/server'

/** A span as plain data, for the thread that sends it. */
export interface SpanRecord {
  readonly name: string
  readonly kind: SpanKind
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** Whether the parent is a span of the client. */
  readonly isParentRemote: boolean
  /** The tracestate header of the client. */
  readonly traceState: string | undefined
  /** Milliseconds since the epoch. */
  readonly startMs: number
  endMs: number
  attributes: TraceAttributes
  /** The kind of error that it ended with. */
  failure: string | undefined
}

type ReadableSpan = Parameters<OTLPTraceExporter['export']>[0][number]

/** Converts a record to the type of exporters. */
export function spanOf(record: SpanRecord, resource: Resource): ReadableSpan {
  const { name, kind, traceId, spanId, parentSpanId, isParentRemote, startMs, endMs, attributes, failure } = record
  const traceFlags = TraceFlags.SAMPLED
  const traceState = record.traceState === undefined ? undefined : new TraceState(record.traceState)
  const context: SpanContext = { traceId, spanId, traceFlags, ...(traceState ? { traceState } : {}) }
  return {
    name,
    kind,
    spanContext: () => context,
    ...(parentSpanId === undefined
      ? {}
      : { parentSpanContext: { traceId, spanId: parentSpanId, traceFlags, isRemote: isParentRemote } }),
    startTime: millisToHrTime(startMs),
    endTime: millisToHrTime(endMs),
    duration: millisToHrTime(endMs - startMs),
    status: failure === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: failure },
    attributes,
    resource,
    instrumentationScope: { name: 'orch' },
    ended: true,
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}
