import type { Logger } from 'orch/sdk'
import type { RequestContext } from '../contracts/request-context.js'
import { escapeControls } from '../observe/escape-controls.js'
import { isoTime } from '../observe/iso-time.js'
import type { LogFile } from '../observe/log-file.js'
import { userAgentOf } from './user-agent.js'
import { withoutCredentials } from './without-credentials.js'

/** One line of the access log. It holds no bodies, no credentials, and no header but the user agent. */
interface AccessEntry {
  readonly time: string
  /** The id in the log and the audit log, if it has one. */
  readonly id: string | undefined
  readonly address: string
  readonly user: string | undefined
  readonly impersonator: string | undefined
  readonly method: string
  readonly uri: string
  readonly code: number
  readonly durationMs: number
  readonly userAgent: string | undefined
}

/** Clients choose these freely. */
const longestAgent = 256
const longestUri = 4096
/** The values of --v from which the log shows requests of clients, and requests that the server sends to itself. */
const clientsVerbosity = 3
const ownVerbosity = 5

export interface AccessLogParts {
  readonly file: LogFile | undefined
  readonly logger: Logger
  readonly verbosity: number
}

/** One line per request, when its response is complete: in a file, and in the log at sufficient verbosity. */
export class AccessLog {
  readonly #parts: AccessLogParts
  private constructor(parts: AccessLogParts) {
    this.#parts = parts
  }
  /** Undefined when it is not enabled. */
  static of(parts: AccessLogParts): AccessLog | undefined {
    return parts.file || parts.verbosity >= clientsVerbosity ? new AccessLog(parts) : undefined
  }

  answered(context: RequestContext, code: number): void {
    const isOwn = context.exchange.trustedUser !== undefined
    if (isOwn && this.#parts.verbosity < ownVerbosity) return
    if (context.info.verb === 'watch' && code < 300) context.exchange.onClose(() => this.#write(context, code, isOwn))
    else this.#write(context, code, isOwn)
  }

  close(): Promise<void> {
    return this.#parts.file?.close() ?? Promise.resolve()
  }

  #write(context: RequestContext, code: number, isOwn: boolean): void {
    const { file, logger, verbosity } = this.#parts
    const entry = entryOf(context, code)
    if (!isOwn) file?.write(`${escapeControls(JSON.stringify(entry))}\n`)
    if (verbosity >= (isOwn ? ownVerbosity : clientsVerbosity)) {
      const { time: _, ...fields } = entry
      logger.info('request', fields)
    }
  }
}

function entryOf(context: RequestContext, code: number): AccessEntry {
  const { exchange, user, impersonator, progress } = context
  const { startedAt } = progress
  const durationMs = performance.now() - startedAt
  // JSON leaves out what is undefined; objects of one shape are made and written faster.
  return {
    time: `${isoTime(performance.timeOrigin + startedAt)}Z`,
    id: context.knownId,
    address: exchange.remoteAddress,
    // A request that failed authentication has no user.
    user: code === 401 ? undefined : user.name,
    impersonator: impersonator?.name,
    method: exchange.method,
    uri: withoutCredentials(exchange.url).slice(0, longestUri),
    code,
    durationMs: Math.round(durationMs * 1000) / 1000,
    userAgent: userAgentOf(exchange, longestAgent),
  }
}
