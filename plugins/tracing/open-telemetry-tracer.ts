import { randomUUID } from 'node:crypto'
import { ROOT_CONTEXT, type SpanContext, SpanKind, TraceFlags, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { ApiError, type Logger, type Metrics, type Vendor } from 'orch/sdk'
import type { RequestTracer, TraceAttributes, TracedRequest, TraceStage } from 'orch/sdk/server'
import { ExportThread } from './export-thread.js'
import type { TracingSettings } from './settings.js'
import { SpanOutbox } from './span-outbox.js'
import type { SpanRecord } from './span-record.js'

export interface TracerParts extends TracingSettings {
  readonly vendor: Vendor
  readonly logger: Logger
  readonly metrics: Metrics
}

const million = 1_000_000
const propagator = new W3CTraceContextPropagator()
const getter = {
  get: (headers: TracedRequest['headers'], name: string) => headers[name] as string | string[] | undefined,
  keys: (headers: TracedRequest['headers']) => Object.keys(headers),
}
const setter = {
  set(headers: Record<string, string>, name: string, value: string) {
    headers[name] = value
  },
}
/** How long the shutdown waits for queued spans. */
const lastSendMs = 5000
const longestPath = 1024

/**
 * Traces sampled requests; others cost nothing. Spans are plain records here, and are converted to those of the
 * official packages in the export thread: here that would multiply their cost.
 */
export class OpenTelemetryTracer implements RequestTracer {
  readonly #rate: number
  readonly #trustsClients: boolean
  readonly #thread: ExportThread
  readonly #outbox: SpanOutbox

  constructor({ url, samplingRatePerMillion, trustsClients, vendor, logger, metrics }: TracerParts) {
    this.#rate = samplingRatePerMillion / million
    this.#trustsClients = trustsClients
    const resource = {
      'service.name': `${vendor.profile.objectPrefix}-apiserver`,
      'service.instance.id': randomUUID(),
    }
    this.#thread = new ExportThread({ url, timeoutMillis: lastSendMs, resource })
    const send = (spans: readonly SpanRecord[]) => this.#thread.send(spans)
    // A URL may contain a password.
    this.#outbox = new SpanOutbox({ send, to: new URL(url).origin, logger, metrics })
  }

  begin(request: TracedRequest): TraceStage | undefined {
    const parent = this.#parentOf(request)
    if (!this.#isSampled(parent?.traceFlags, request.isOwn)) return undefined
    const { method, url, verb, group, resource, subresource, namespace, isOwn } = request
    const what = subresource === '' ? resource : `${resource}/${subresource}`
    const attributes = {
      'http.request.method': method,
      'url.path': (url.split('?', 1)[0] ?? '').slice(0, longestPath),
      'api.verb': verb,
      ...(resource === '' ? {} : { 'api.group': group, 'api.resource': what }),
      ...(namespace === '' ? {} : { 'api.namespace': namespace }),
    }
    const kind = isOwn ? SpanKind.INTERNAL : SpanKind.SERVER
    const name = what === '' ? method : `${verb} ${what}`
    return new SpanStage(this.#outbox, parent ?? { traceId: newTraceId() }, { name, kind, attributes })
  }

  /**
   * Clients that trace can ask for sampling. Anybody can, so it is limited by the rate: spans are expensive for this
   * server and its collector. Requests of the server to itself belong to a sampled request.
   */
  #isSampled(flags: number | undefined, isOwn: boolean): boolean {
    const isAllowed = () => Math.random() < this.#rate
    if (flags === undefined) return isAllowed()
    return (flags & TraceFlags.SAMPLED) !== 0 && (isOwn || this.#trustsClients || isAllowed())
  }

  /** Sends queued spans, for a limited time. */
  async close(): Promise<void> {
    const late = new Promise<void>(resolve => setTimeout(resolve, lastSendMs).unref())
    await Promise.race([this.#outbox.close(), late])
    await this.#thread.stop()
  }

  #parentOf({ headers }: TracedRequest): SpanContext | undefined {
    if (headers['traceparent'] === undefined) return undefined
    return trace.getSpanContext(propagator.extract(ROOT_CONTEXT, headers, getter))
  }
}

/** The parent of a new span; without a span id the new one is the root of its trace. */
type Parent = Pick<SpanContext, 'traceId' | 'traceState' | 'isRemote'> & Partial<Pick<SpanContext, 'spanId'>>

class SpanStage implements TraceStage {
  readonly #outbox: SpanOutbox
  readonly #context: SpanContext
  readonly #record: SpanRecord

  constructor(outbox: SpanOutbox, parent: Parent, facts: Pick<SpanRecord, 'name' | 'kind' | 'attributes'>) {
    const { traceId, traceState } = parent
    const spanId = newSpanId()
    this.#outbox = outbox
    this.#context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, ...(traceState ? { traceState } : {}) }
    this.#record = {
      ...facts,
      traceId,
      spanId,
      parentSpanId: parent.spanId,
      isParentRemote: parent.isRemote ?? false,
      traceState: traceState?.serialize(),
      startMs: now(),
      endMs: 0,
      failure: undefined,
    }
  }

  begin(name: string, attributes: TraceAttributes = {}): TraceStage {
    const kind = name === 'webhook' ? SpanKind.CLIENT : SpanKind.INTERNAL
    return new SpanStage(this.#outbox, this.#context, { name, kind, attributes })
  }
  end(failure?: unknown, attributes?: TraceAttributes): void {
    const record = this.#record
    record.endMs = now()
    if (attributes) record.attributes = { ...record.attributes, ...attributes }
    if (failure !== undefined) record.failure = kindOf(failure)
    this.#outbox.add(record)
  }
  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    propagator.inject(trace.setSpanContext(ROOT_CONTEXT, this.#context), headers, setter)
    return headers
  }
}

const randomWord = (): string =>
  Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
const newSpanId = (): string => randomWord() + randomWord()
const newTraceId = (): string => newSpanId() + newSpanId()
/** Milliseconds since the epoch, with their fractions. */
const now = (): number => performance.timeOrigin + performance.now()

/** The message of an error may quote what was sent, so only its type is recorded. */
function kindOf(failure: unknown): string {
  if (failure instanceof ApiError) return `${failure.code} ${failure.reason}`
  return failure instanceof Error ? failure.name : typeof failure
}
