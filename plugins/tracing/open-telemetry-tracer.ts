import { randomUUID } from 'node:crypto'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import {
  ApiError,
  type Logger,
  type Metrics,
  type RequestTracer,
  type TraceAttributes,
  type TracedRequest,
  type TraceStage,
  type Vendor,
} from 'orch/sdk'
import { ReportingExporter } from './reporting-exporter.js'
import type { TracingSettings } from './settings.js'
import { ThreadExporter } from './thread-exporter.js'

export interface TracerParts extends TracingSettings {
  readonly vendor: Vendor
  readonly logger: Logger
  readonly metrics: Metrics
}

const million = 1_000_000
const sampledFlag = 1
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
/** How long the end of the server waits for what is still to be sent. */
const lastSendMs = 5000
const exportEveryMs = 1000
const longestPath = 1024

/** Follows the requests that are sampled. Of all others nothing is made. */
export class OpenTelemetryTracer implements RequestTracer {
  readonly #rate: number
  readonly #trustsClients: boolean
  readonly #provider: TracerProvider
  readonly #tracer: Tracer

  constructor({ url, samplingRatePerMillion, trustsClients, vendor, logger, metrics }: TracerParts) {
    this.#rate = samplingRatePerMillion / million
    this.#trustsClients = trustsClients
    const resource = {
      'service.name': `${vendor.profile.objectPrefix}-apiserver`,
      'service.instance.id': randomUUID(),
    }
    const exporter = new ReportingExporter(new ThreadExporter({ url, timeoutMillis: lastSendMs, resource }), {
      // An address may hold a password.
      to: new URL(url).origin,
      logger,
      metrics,
    })
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes(resource),
      // Who is followed is decided below, before anything is made.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportEveryMs })],
    })
    this.#tracer = this.#provider.getTracer('orch')
  }

  begin(request: TracedRequest): TraceStage | undefined {
    const parent = this.#parentOf(request)
    const given = parent && trace.getSpanContext(parent)
    if (!this.#isFollowed(given?.traceFlags, request.isOwn)) return undefined
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
    const context = parent ?? ROOT_CONTEXT
    return new SpanStage(this.#tracer, this.#tracer.startSpan(name, { kind, attributes }, context), context)
  }

  /**
   * Those who trace themselves say whether they want their request to be followed. Anybody can say that, so it counts only as often
   * as the rate allows: spans cost this server, and its receiver. What the server sends to itself belongs to a request that is followed.
   */
  #isFollowed(flags: number | undefined, isOwn: boolean): boolean {
    const isAllowed = () => Math.random() < this.#rate
    if (flags === undefined) return isAllowed()
    return (flags & sampledFlag) !== 0 && (isOwn || this.#trustsClients || isAllowed())
  }

  /** Sends what is left, if that can be done soon. */
  async close(): Promise<void> {
    const late = new Promise<void>(resolve => setTimeout(resolve, lastSendMs).unref())
    await Promise.race([this.#provider.shutdown().catch(() => {}), late])
  }

  #parentOf({ headers }: TracedRequest): Context | undefined {
    if (headers['traceparent'] === undefined) return undefined
    const context = propagator.extract(ROOT_CONTEXT, headers, getter)
    return context === ROOT_CONTEXT ? undefined : context
  }
}

class SpanStage implements TraceStage {
  readonly #tracer: Tracer
  readonly #span: Span
  readonly #context: Context

  constructor(tracer: Tracer, span: Span, parent: Context) {
    this.#tracer = tracer
    this.#span = span
    this.#context = trace.setSpan(parent, span)
  }

  begin(name: string, attributes: TraceAttributes = {}): TraceStage {
    const kind = name === 'webhook' ? SpanKind.CLIENT : SpanKind.INTERNAL
    return new SpanStage(this.#tracer, this.#tracer.startSpan(name, { kind, attributes }, this.#context), this.#context)
  }
  end(failure?: unknown, attributes?: TraceAttributes): void {
    if (attributes) this.#span.setAttributes(attributes)
    if (failure !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: kindOf(failure) })
    this.#span.end()
  }
  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    propagator.inject(this.#context, headers, setter)
    return headers
  }
}

/** The message of an error may quote what was sent, so only its kind is told. */
function kindOf(failure: unknown): string {
  if (failure instanceof ApiError) return `${failure.code} ${failure.reason}`
  return failure instanceof Error ? failure.name : typeof failure
}
