import type { ApiError } from 'orch/sdk'
import type { RecordedRequest, Recorder } from 'orch/sdk/server'
import type { RecordInProgress, RequestContext } from '../contracts/request-context.js'
import { requestedName } from '../contracts/request-info.js'
import { withoutCredentials } from './without-credentials.js'

/** User agents are recorded up to this length: clients choose them freely. */
const longestAgent = 256

/** Passes requests to a recorder. */
export class RequestRecording {
  readonly #recorder: Recorder
  constructor(recorder: Recorder) {
    this.#recorder = recorder
  }

  begin(context: RequestContext): void {
    const recorded: RecordInProgress = {}
    context.recorded = recorded
    // So that a client can refer to this request.
    context.sendAuditId()
    if (context.info.verb === 'watch') context.exchange.onClose(() => this.#watchEnds(recorded, context))
  }

  answered(context: RequestContext, code: number, failure: ApiError | undefined): void {
    const request = describe(context, code, failure)
    const { recorded } = context
    if (context.info.verb !== 'watch' || !recorded) return this.#recorder.request(request)
    this.#recorder.request({ ...request, stage: 'begun' })
    recorded.watch = request
    if (recorded.isClosed) this.#watchEnds(recorded, context)
  }

  /** A client may disconnect before its watch has begun. */
  #watchEnds(recorded: RecordInProgress, context: RequestContext): void {
    recorded.isClosed = true
    if (recorded.watch) this.#recorder.request({ ...recorded.watch, durationMs: sinceStart(context), stage: 'over' })
  }
}

const sinceStart = (context: RequestContext) => performance.now() - context.progress.startedAt

function describe(context: RequestContext, code: number, failure: ApiError | undefined): RecordedRequest {
  const { id, info, exchange, user, impersonator, recorded, audit } = context
  const { group, version, resource, subresource } = info
  const userAgent = exchange.headers['user-agent']?.slice(0, longestAgent)
  return {
    id,
    at: performance.timeOrigin + context.progress.startedAt,
    durationMs: sinceStart(context),
    user: user.name,
    ...(impersonator ? { impersonator: impersonator.name } : {}),
    ...(userAgent === undefined ? {} : { userAgent }),
    verb: info.verb,
    uri: withoutCredentials(exchange.url),
    ...(info.isResource
      ? {
          object: {
            group,
            version,
            resource,
            subresource,
            namespace: info.namespace,
            name: requestedName(info) || recorded?.name || audit.sentMetadata?.name || '',
          },
        }
      : {}),
    code,
    ...(failure ? { reason: failure.reason, message: failure.message } : {}),
    ...(recorded?.sent === undefined ? {} : { sent: recorded.sent }),
  }
}
