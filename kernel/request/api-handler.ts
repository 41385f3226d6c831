import {
  type ApiDelegation,
  type ApiError,
  type Authorizer,
  anonymousUser,
  asStage,
  badRequest,
  type Clock,
  type Logger,
  type RequestLimiter,
  type RequestTracer,
  type TracedRequest,
  timedOut,
  type UserInfo,
  unauthorized,
  type Vendor,
} from 'orch/sdk'
import { ShortLivedEntries } from 'orch/sdk/host'
import type { Exchange } from '../contracts/exchange.js'
import { RequestContext } from '../contracts/request-context.js'
import { parseRequestInfo } from '../contracts/request-info.js'
import { then } from '../contracts/then.js'
import type { LoopWatch } from '../observe/loop-watch.js'
import type { RequestMetrics } from '../observe/request-metrics.js'
import { withSourcePositions } from '../observe/source-positions.js'
import type { Representations } from '../representation/representations.js'
import { statusOf, toApiError, writeError } from '../representation/write-status.js'
import type { ResourceServices } from '../resources/resource-services.js'
import { serveResource, UnknownPath } from '../resources/route-verb.js'
import { tracedServices } from '../resources/traced-services.js'
import type { AccessLog } from './access-log.js'
import type { Audit } from './audit.js'
import type { AuthenticatorChain } from './authenticate.js'
import { authorizeRequest } from './authorize.js'
import { delegateOf, handOver } from './delegate-request.js'
import { impersonate } from './impersonate.js'
import type { RequestRecording } from './request-recording.js'
import { wantedTimeoutMs } from './wanted-timeout.js'

/** Serves paths outside the resource API; false when there is no such path. */
export type PathServer = (context: RequestContext) => boolean | Promise<boolean>

export interface ApiHandlerParts {
  readonly authenticators: AuthenticatorChain
  readonly authorizer: Authorizer
  readonly audit: Audit
  /** Undefined where nobody wants to read one. */
  readonly accessLog?: AccessLog | undefined
  /** Tells a test what happened; undefined where nobody wants to know. */
  readonly recording?: RequestRecording | undefined
  /** Follows requests through their stages; undefined where nobody does. */
  readonly tracer?: RequestTracer | undefined
  readonly limiter: RequestLimiter
  readonly resources: ResourceServices
  readonly representations: Representations
  readonly servePath: PathServer
  /** Is this path for everybody? Then nobody is asked who they are, nor whether they may. */
  isPublic(path: string): boolean
  /** Who else answers below `/apis`. */
  readonly delegation?: ApiDelegation | undefined
  readonly metrics: RequestMetrics
  readonly vendor: Vendor
  readonly clock: Clock
  readonly logger: Logger
  readonly requestTimeoutMs: number
  readonly loopWatch: LoopWatch
  readonly maxObjectItems: number
  /** Brings what this process knows up to date with what other processes did. */
  catchUp(): void
}

/** A reader that has taken nothing for this long loses its place, though not its answer. */
const stalledMs = 1000

/**
 * The way of a request:
 * request info → authentication → audit → impersonation → in-flight limits → authorization → verb.
 */
export class ApiHandler {
  readonly #parts: ApiHandlerParts
  /** Requests that did not finish in the tick they came in. */
  readonly #pending = new ShortLivedEntries<RequestContext>()
  readonly #timeouts: NodeJS.Timeout

  constructor(parts: ApiHandlerParts) {
    this.#parts = parts
    // One look a second at all of them costs less than a timer for each.
    this.#timeouts = setInterval(() => this.#answerOverdue(), 1000)
    this.#timeouts.unref()
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
    this.#parts.loopWatch.worksFor(context)
    context.onResume = this.#worksFor
    context.maxObjectItems = this.#parts.maxObjectItems
    if (info.verb === 'watch') this.#parts.metrics.watchBegins(context)
    if (exchange.headers['audit-id'] !== undefined) context.tellId()
    this.#parts.recording?.begins(context)
    if (this.#parts.tracer) context.trace = this.#parts.tracer.begin(tracedRequest(context))
    try {
      context.timeoutMs = Math.min(wantedTimeoutMs(info) ?? this.#parts.requestTimeoutMs, this.#parts.requestTimeoutMs)
      this.#parts.catchUp()
      const running = this.#authenticate(context)
      if (running instanceof Promise) {
        context.pendingNumber = this.#pending.add(context)
        // One that was answered because it took too long is over already, whatever comes of it.
        running.then(
          () => context.isOver || this.#done(context, context.exchange.status || 200),
          thrown => context.isOver || this.#fail(context, thrown),
        )
      } else this.#done(context, context.exchange.status || 200)
    } catch (thrown) {
      this.#fail(context, thrown)
    }
  }

  #authenticate(context: RequestContext): void | Promise<void> {
    const { authenticators, isPublic } = this.#parts
    if (!context.info.isResource && isPublic(context.info.path)) return this.#identified(context, anonymousUser)
    const { exchange, trace } = context
    const user = trace
      ? asStage(trace, 'authentication', () => authenticators.authenticate(exchange, context))
      : authenticators.authenticate(exchange, context)
    return then(user, known => this.#identified(context, known))
  }

  #identified(context: RequestContext, user: UserInfo | undefined): void | Promise<void> {
    if (context.isOver) return
    if (!user) throw unauthorized()
    context.user = user
    return then(this.#parts.audit.requestReceived(context), () => this.#recorded(context))
  }

  #recorded(context: RequestContext): void | Promise<void> {
    const { authorizer, vendor } = this.#parts
    if (context.isOver) return
    return then(impersonate(authorizer, vendor, context), () => this.#admitted(context))
  }

  #admitted(context: RequestContext): void | Promise<void> {
    // Who was told meanwhile that it took too long must not take a place that nobody would give back.
    if (context.isOver) return
    const { limiter } = this.#parts
    const placed = context.trace
      ? asStage(context.trace, 'wait for a place', () => limiter.enter(context))
      : limiter.enter(context)
    return then(placed, () => this.#placed(context))
  }

  #placed(context: RequestContext): void | Promise<void> {
    // It was answered while it waited for its place, which nobody else would give back.
    if (context.isOver) return context.leaveItsPlace()
    const { authorizer, vendor, isPublic } = this.#parts
    if (!context.info.isResource && isPublic(context.info.path)) return this.#serve(context)
    const allowed = context.trace
      ? asStage(context.trace, 'authorization', () => authorizeRequest(authorizer, vendor, context))
      : authorizeRequest(authorizer, vendor, context)
    return then(allowed, () => this.#serve(context))
  }

  #serve(context: RequestContext): void | Promise<void> {
    const { resources, servePath, delegation } = this.#parts
    if (context.isOver) return
    const delegate = delegation && delegateOf(delegation, context.info)
    if (delegate) return handOver(delegate, context)
    if (context.info.isResource && resources.types.get(context.info.group, context.info.resource)) {
      return serveResource(context.trace ? tracedServices(resources, context.trace) : resources, context)
    }
    return then(servePath(context), isServed => {
      if (!isServed) answerUnknownPath(context)
    })
  }

  #fail(context: RequestContext, thrown: unknown): void {
    const { representations, logger } = this.#parts
    context.representation ??= representations.negotiator.tryNegotiate(context.exchange.headers.accept)
    // Whoever accepts nothing we have is shown something to read.
    const isPretty = context.isPretty || context.representation === undefined
    const { hidden } = context
    const failure = toApiError(thrown)
    if (failure instanceof UnknownPath && !context.exchange.isAnswered) {
      answerUnknownPath(context)
      return this.#done(context, failure.code, failure)
    }
    const shown = hidden?.removeFromError(failure) ?? failure
    const error = this.#answerError(context, shown, isPretty)
    if (error.code >= 500) {
      const { verb, path } = context.info
      logger.error('a request failed', {
        requestId: context.id,
        verb,
        path,
        code: error.code,
        cause: describe(failure.cause ?? failure, hidden !== undefined),
      })
    }
    this.#done(context, error.code, error)
  }

  /** A request that takes too long is answered; a write that has not come to the store by then never will. */
  #answerOverdue(): void {
    const { logger } = this.#parts
    const now = performance.now()
    for (const context of this.#pending.values()) {
      // Nobody works on an answer that is not read, so others may have its place.
      if (context.exchange.stalledMs >= stalledMs) context.leaveItsPlace()
      const isInTime = now - context.startedAt < context.timeoutMs
      if (isInTime || context.info.verb === 'watch' || context.exchange.isAnswered) continue
      logger.warn('a request timed out', { requestId: context.id, verb: context.info.verb, path: context.info.path })
      const error = timedOut('request did not complete within the allotted timeout', {})
      this.#answerError(context, error, context.isPretty)
      this.#done(context, error.code, error)
    }
  }

  #answerError(context: RequestContext, error: ApiError, isPretty: boolean): ApiError {
    const { exchange, representation } = context
    if (!exchange.isAnswered) context.auditAnswer(() => statusOf(error))
    return writeError(exchange, error, representation, isPretty, this.#encodeStatus)
  }

  #done(context: RequestContext, code: number, failure?: ApiError): void {
    if (context.pendingNumber !== undefined) this.#pending.delete(context.pendingNumber)
    context.isOver = true
    const { metrics, audit, accessLog, recording } = this.#parts
    context.leaveItsPlace()
    metrics.observe(context, code, (performance.now() - context.startedAt) / 1000)
    audit.answered(context, code, failure)
    accessLog?.answered(context, code)
    recording?.answered(context, code, failure)
    context.trace?.end(code >= 500 ? failure : undefined, {
      'http.response.status_code': code,
      user: context.user.name,
    })
  }

  readonly #worksFor = (context: RequestContext) => this.#parts.loopWatch.worksFor(context)

  readonly #encodeStatus = (status: Parameters<Representations['protobuf']['encodeStatus']>[0]) =>
    this.#parts.representations.protobuf.encodeStatus(status)
}

function tracedRequest({ exchange, info }: RequestContext): TracedRequest {
  const { method, url, headers, trustedUser } = exchange
  const { verb, group, resource, subresource, namespace } = info
  return { method, url, headers, verb, group, resource, subresource, namespace, isOwn: trustedUser !== undefined }
}

function answerUnknownPath(context: RequestContext): void {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache, private',
  }
  context.exchange.send(404, headers, '404 page not found\n')
}

/** What to find a failure by. The message of one may quote anything, so that of a sensitive type is only where it was. */
function describe(cause: unknown, isSensitive: boolean): string {
  if (!isSensitive) return cause instanceof Error ? withSourcePositions(cause.stack ?? cause.message) : String(cause)
  if (!(cause instanceof Error)) return typeof cause
  const places = withSourcePositions(cause.stack ?? '')
    .split('\n')
    .filter(line => /^\s+at /.test(line))
  return [cause.name, ...places].join('\n')
}
