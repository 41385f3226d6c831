import {
  type ApiError,
  type Authorizer,
  badRequest,
  type Clock,
  type Logger,
  timedOut,
  type UserInfo,
  unauthorized,
  type Vendor,
} from 'orch/sdk'
import type { Exchange } from '../http/exchange.js'
import { writeError } from '../http/write-status.js'
import type { RequestMetrics } from '../observe/request-metrics.js'
import type { Representations } from '../representation/representations.js'
import type { ResourceServices } from '../resources/resource-services.js'
import { serveResource } from '../resources/route-verb.js'
import type { Audit } from './audit.js'
import type { AuthenticatorChain } from './authenticate.js'
import { authorizeRequest } from './authorize.js'
import { impersonate } from './impersonate.js'
import type { InflightLimits } from './limit-inflight.js'
import { RequestContext } from './request-context.js'
import { parseRequestInfo } from './request-info.js'
import { then } from './then.js'
import { wantedTimeoutMs } from './wanted-timeout.js'

/** Serves paths outside the resource API; false when there is no such path. */
export type PathServer = (context: RequestContext) => boolean | Promise<boolean>

export interface ApiHandlerParts {
  readonly authenticators: AuthenticatorChain
  readonly authorizer: Authorizer
  readonly audit: Audit
  readonly inflight: InflightLimits
  readonly resources: ResourceServices
  readonly representations: Representations
  readonly servePath: PathServer
  readonly metrics: RequestMetrics
  readonly vendor: Vendor
  readonly clock: Clock
  readonly logger: Logger
  readonly requestTimeoutMs: number
  /** Brings what this process knows up to date with what other processes did. */
  catchUp(): void
}

/**
 * The way of a request:
 * request info → authentication → audit → impersonation → in-flight limits → authorization → verb.
 */
export class ApiHandler {
  readonly #parts: ApiHandlerParts
  /** Requests that did not finish in the tick they came in. */
  readonly #pending = new Set<RequestContext>()
  readonly #timeouts: NodeJS.Timeout

  constructor(parts: ApiHandlerParts) {
    this.#parts = parts
    // One look a second at all of them costs less than a timer for each.
    this.#timeouts = setInterval(() => this.#answerOverdue(), 1000)
    this.#timeouts.unref()
  }

  close(): void {
    clearInterval(this.#timeouts)
  }

  handle(exchange: Exchange): void {
    const startedAt = performance.now()
    const info = parseRequestInfo(exchange.method, exchange.url)
    if (!info) {
      writeError(exchange, badRequest('the path is not valid percent-encoding'), undefined, false, this.#encodeStatus)
      return
    }
    const context = new RequestContext(exchange, info, startedAt)
    if (info.verb === 'watch') this.#parts.metrics.watchBegins(context)
    if (exchange.headers['audit-id'] !== undefined) context.tellId()
    try {
      context.timeoutMs = Math.min(wantedTimeoutMs(info) ?? this.#parts.requestTimeoutMs, this.#parts.requestTimeoutMs)
      this.#parts.catchUp()
      const running = this.#authenticate(context)
      if (running instanceof Promise) {
        this.#pending.add(context)
        // One that was answered because it took too long is over already, whatever comes of it.
        running.then(
          () => this.#pending.has(context) && this.#done(context, context.exchange.status || 200),
          thrown => this.#pending.has(context) && this.#fail(context, thrown),
        )
      } else this.#done(context, context.exchange.status || 200)
    } catch (thrown) {
      this.#fail(context, thrown)
    }
  }

  #authenticate(context: RequestContext): void | Promise<void> {
    const { authenticators } = this.#parts
    return then(authenticators.authenticate(context.exchange, context), user => this.#identified(context, user))
  }

  #identified(context: RequestContext, user: UserInfo | undefined): void | Promise<void> {
    const { audit, authorizer, vendor } = this.#parts
    if (!user) throw unauthorized()
    context.user = user
    audit.requestReceived(context)
    return then(impersonate(authorizer, vendor, context), () => this.#admitted(context))
  }

  #admitted(context: RequestContext): void | Promise<void> {
    const leave = this.#parts.inflight.enter(context)
    try {
      const serving = then(authorizeRequest(this.#parts.authorizer, this.#parts.vendor, context), () =>
        this.#serve(context),
      )
      if (serving instanceof Promise) return serving.finally(leave)
    } catch (thrown) {
      leave()
      throw thrown
    }
    leave()
  }

  #serve(context: RequestContext): void | Promise<void> {
    const { resources, servePath } = this.#parts
    if (context.info.isResource && resources.types.get(context.info.group, context.info.resource)) {
      return serveResource(resources, context)
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
    const error = writeError(context.exchange, thrown, context.representation, isPretty, this.#encodeStatus)
    if (error.code >= 500) {
      const { verb, path } = context.info
      logger.error('a request failed', {
        requestId: context.id,
        verb,
        path,
        code: error.code,
        cause: describe(error.cause ?? error),
      })
    }
    this.#done(context, error.code, error)
  }

  /** A request that takes too long is answered; a write that has not come to the store by then never will. */
  #answerOverdue(): void {
    const { logger } = this.#parts
    const now = performance.now()
    for (const context of this.#pending) {
      const isInTime = now - context.startedAt < context.timeoutMs
      if (isInTime || context.info.verb === 'watch' || context.exchange.isAnswered) continue
      logger.warn('a request timed out', { requestId: context.id, verb: context.info.verb, path: context.info.path })
      const error = timedOut('request did not complete within the allotted timeout', {})
      writeError(context.exchange, error, context.representation, context.isPretty, this.#encodeStatus)
      this.#done(context, error.code, error)
    }
  }

  #done(context: RequestContext, code: number, failure?: ApiError): void {
    this.#pending.delete(context)
    const { metrics, audit } = this.#parts
    metrics.observe(context, code, (performance.now() - context.startedAt) / 1000)
    audit.answered(context, code, failure)
  }

  readonly #encodeStatus = (status: Parameters<Representations['protobuf']['encodeStatus']>[0]) =>
    this.#parts.representations.protobuf.encodeStatus(status)
}

function answerUnknownPath(context: RequestContext): void {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache, private',
  }
  context.exchange.send(404, headers, '404 page not found\n')
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
