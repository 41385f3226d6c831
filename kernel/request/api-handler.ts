import { type ApiError, badRequest, type Logger, timedOut } from 'orch/sdk'
import { ShortLivedEntries, StorageError } from 'orch/sdk/host'
import { asStage, type RequestTracer, type TracedRequest } from 'orch/sdk/server'
import type { Exchange } from '../contracts/exchange.js'
import { RequestContext } from '../contracts/request-context.js'
import { parseRequestInfo } from '../contracts/request-info.js'
import type { LoopWatch } from '../observe/loop-watch.js'
import type { RequestMetrics } from '../observe/request-metrics.js'
import { withSourcePositions } from '../observe/source-positions.js'
import type { Representations } from '../representation/representations.js'
import { isStackOverflow, statusOf, toApiError, writeError } from '../representation/write-status.js'
import { UnknownPath } from '../resources/route-verb.js'
import type { AccessLog } from './access-log.js'
import type { RequestRecording } from './request-recording.js'
import { answerUnknownPath, requestStages, type Stage, type StageParts } from './request-stages.js'
import { requestedTimeoutMs } from './requested-timeout.js'

export interface ApiHandlerParts extends StageParts {
  /** Undefined unless there is an access log. */
  readonly accessLog?: AccessLog | undefined
  /** Undefined unless a test kit records requests. */
  readonly recording?: RequestRecording | undefined
  /** Undefined unless requests are traced. */
  readonly tracer?: RequestTracer | undefined
  readonly representations: Representations
  readonly metrics: RequestMetrics
  readonly logger: Logger
  readonly requestTimeoutMs: number
  readonly loopWatch: LoopWatch
  readonly maxObjectItems: number
  /** Delivers what other processes committed, so that caches include what clients have read elsewhere. */
  catchUp(): void
}

/**
 * What the stages take from plugins, which may be loaded and removed while the server runs: paths outside the resource API, authenticators,
 * authorizers.
 */
export type PluginParts = Pick<
  StageParts,
  'servePath' | 'isPublic' | 'authenticators' | 'authorizer' | 'constrainedImpersonation'
>

/** A request whose client has not read its response for this long gives up its seat; the response goes on. */
const stalledMs = 1000

/**
 * Runs the stages of requests (see request-stages.ts). A request that waits for nothing is answered in the tick that it arrived
 * in, without a promise. Tracing, time-outs, and what happens when a request ends are known here and nowhere else.
 */
export class ApiHandler {
  #parts: ApiHandlerParts
  /** Requests that wait for something. */
  readonly #pending = new ShortLivedEntries<RequestContext>()
  readonly #timeouts: NodeJS.Timeout

  constructor(parts: ApiHandlerParts) {
    this.#parts = parts
    // One timer for all requests costs less than one for each.
    this.#timeouts = setInterval(() => this.#answerOverdue(), 1000)
    this.#timeouts.unref()
  }

  /** Replaces the parts that come from plugins. A request in flight continues with the ones it started with. */
  use(parts: PluginParts): void {
    this.#parts = { ...this.#parts, ...parts }
  }

  close(): void {
    clearInterval(this.#timeouts)
    this.#parts.loopWatch.close()
  }

  handle(exchange: Exchange): void {
    const startedAt = performance.now()
    const info = parseRequestInfo(exchange.method, exchange.url)
    if (!info) {
      writeError(exchange, badRequest('the path is not valid percent-encoding'), undefined, false, this.#encodeStatus)
      return
    }
    const context = new RequestContext(exchange, info, startedAt)
    this.#begin(context)
    try {
      const { requestTimeoutMs } = this.#parts
      context.progress.timeoutMs = Math.min(requestedTimeoutMs(info) ?? requestTimeoutMs, requestTimeoutMs)
      this.#parts.catchUp()
      const running = this.#run(context, 0, this.#parts)
      if (running === undefined) return this.#finish(context, exchange.status || 200)
      context.progress.pendingNumber = this.#pending.add(context)
      // A request that timed out was answered then: its outcome no longer matters.
      running.then(
        () => context.isFinished || this.#finish(context, exchange.status || 200),
        thrown => context.isFinished || this.#fail(context, thrown),
      )
    } catch (thrown) {
      this.#fail(context, thrown)
    }
  }

  #begin(context: RequestContext): void {
    const { loopWatch, maxObjectItems, metrics, recording, tracer } = this.#parts
    const { exchange, info, progress } = context
    loopWatch.setCurrentRequest(context)
    context.onResume = this.#setCurrentRequest
    context.maxObjectItems = maxObjectItems
    if (info.verb === 'watch' || (info.subresource !== '' && metrics.isConnection(info)))
      metrics.longRunningStarted(context)
    if (exchange.headers['audit-id'] !== undefined) context.sendAuditId()
    recording?.begin(context)
    if (tracer) progress.trace = tracer.begin(tracedRequest(context))
  }

  /** Runs the stages from this one on: synchronously until a stage waits, and the rest when it has finished. */
  #run(context: RequestContext, first: number, parts: StageParts): void | Promise<void> {
    const { trace } = context.progress
    for (let index = first; index < requestStages.length; index++) {
      const stage = requestStages[index]!
      if (stage.skips?.(context, parts)) continue
      const running =
        trace && stage.span ? this.#runTraced(stage, stage.span, context, parts) : stage.run(context, parts)
      if (running !== undefined) return running.then(() => this.#resume(context, index + 1, parts))
    }
  }

  #runTraced(stage: Stage, span: string, context: RequestContext, parts: StageParts): void | Promise<void> {
    return asStage(context.progress.trace!, span, () => stage.run(context, parts))
  }

  #resume(context: RequestContext, next: number, parts: StageParts): void | Promise<void> {
    // Already timed out: release the seat that it may have been waiting for.
    if (context.isFinished) return context.releaseSeat()
    return this.#run(context, next, parts)
  }

  #fail(context: RequestContext, thrown: unknown): void {
    const { representations, logger } = this.#parts
    context.representation ??= representations.negotiator.tryNegotiate(context.exchange.headers.accept)
    // A client that accepts none of our formats gets one that a person can read.
    const isPretty = context.isPretty || context.representation === undefined
    const { hidden } = context
    const failure = toApiError(thrown)
    if (failure instanceof UnknownPath && !context.exchange.isAnswered) {
      answerUnknownPath(context)
      return this.#finish(context, failure.code, failure)
    }
    const shown = hidden?.removeFromError(failure) ?? failure
    const error = this.#answerError(context, shown, isPretty)
    if (error.code >= 500 || isStackOverflow(failure.cause)) {
      const { verb, path } = context.info
      logger.error('a request failed', {
        requestId: context.id,
        verb,
        path,
        code: error.code,
        cause: describe(failure.cause ?? failure, hidden !== undefined),
      })
    }
    this.#finish(context, error.code, error)
  }

  /** Answers requests that take too long; one that has not written to the store by then never will. */
  #answerOverdue(): void {
    const { logger } = this.#parts
    for (const context of this.#pending.values()) {
      const { exchange, info, progress } = context
      // A response that the client does not read causes no work: its seat is released.
      if (exchange.stalledMs >= stalledMs) context.releaseSeat()
      if (progress.timeLeftMs() > 0 || info.verb === 'watch' || exchange.isAnswered) continue
      logger.warn('a request timed out', { requestId: context.id, verb: info.verb, path: info.path })
      const error = timedOut('request did not complete within the allotted timeout', {})
      this.#answerError(context, error, context.isPretty)
      this.#finish(context, error.code, error)
    }
  }

  #answerError(context: RequestContext, error: ApiError, isPretty: boolean): ApiError {
    const { exchange, representation } = context
    if (!exchange.isAnswered) context.audit.recordAnswer(() => statusOf(error))
    return writeError(exchange, error, representation, isPretty, this.#encodeStatus)
  }

  #finish(context: RequestContext, code: number, failure?: ApiError): void {
    const { progress, user } = context
    if (progress.pendingNumber !== undefined) this.#pending.delete(progress.pendingNumber)
    progress.isFinished = true
    const { metrics, audit, accessLog, recording } = this.#parts
    context.releaseSeat()
    metrics.observe(context, code, (performance.now() - progress.startedAt) / 1000)
    audit.answered(context, code, failure)
    accessLog?.answered(context, code)
    recording?.answered(context, code, failure)
    progress.trace?.end(code >= 500 ? failure : undefined, { 'http.response.status_code': code, user: user.name })
  }

  readonly #setCurrentRequest = (context: RequestContext) => this.#parts.loopWatch.setCurrentRequest(context)

  readonly #encodeStatus = (status: Parameters<Representations['protobuf']['encodeStatus']>[0]) =>
    this.#parts.representations.protobuf.encodeStatus(status)
}

function tracedRequest({ exchange, info }: RequestContext): TracedRequest {
  const { method, url, headers, trustedUser } = exchange
  const { verb, group, resource, subresource, namespace } = info
  return { method, url, headers, verb, group, resource, subresource, namespace, isOwn: trustedUser !== undefined }
}

/** The cause of a failure, for the log. Its message may quote anything, so for a sensitive type only the stack is shown. */
function describe(cause: unknown, isSensitive: boolean): string {
  // What is wrong with a store says itself, for every request again while it lasts; where in our code it was noticed helps nobody.
  if (cause instanceof StorageError && cause.kind !== 'corrupt') return isSensitive ? cause.name : String(cause)
  if (!isSensitive) return cause instanceof Error ? withSourcePositions(cause.stack ?? cause.message) : String(cause)
  if (!(cause instanceof Error)) return typeof cause
  const places = withSourcePositions(cause.stack ?? '')
    .split('\n')
    .filter(line => /^\s+at /.test(line))
  return [cause.name, ...places].join('\n')
}
