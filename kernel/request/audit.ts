import type { ApiError } from 'orch/sdk'
import type { AuditFile } from './audit-file.js'
import type { AuditPolicy } from './audit-policy.js'
import type { RequestContext } from './request-context.js'

/** Records who did what. */
export interface Audit {
  requestReceived(context: RequestContext): void
  /** `failure` is the error that became the answer, if one did. */
  responseComplete(context: RequestContext, code: number, failure?: ApiError): void
  close(): Promise<void>
}

export const noAudit: Audit = { requestReceived: () => {}, responseComplete: () => {}, close: () => Promise.resolve() }

type Stage = 'RequestReceived' | 'ResponseComplete'

/** Appends one JSON line per event, as far as the policy asks. Bodies of sensitive types never reach it. */
export class AuditLog implements Audit {
  readonly #policy: AuditPolicy
  readonly #file: AuditFile
  readonly #apiVersion: string
  readonly #now: () => number

  constructor(policy: AuditPolicy, file: AuditFile, apiVersion: string, now: () => number) {
    this.#policy = policy
    this.#file = file
    this.#apiVersion = apiVersion
    this.#now = now
  }

  requestReceived(context: RequestContext): void {
    const { level, omitStages } = this.#policy.decide(context)
    if (level === 'None') return
    context.auditLevel = level
    if (level !== 'Metadata') context.auditBodies = {}
    if (!omitStages.has('RequestReceived')) this.#write(context, level, 'RequestReceived', undefined)
  }

  responseComplete(context: RequestContext, code: number, failure?: ApiError): void {
    const { level, omitStages } = this.#policy.decide(context)
    if (level === 'None' || omitStages.has('ResponseComplete')) return
    this.#write(context, level, 'ResponseComplete', responseStatusOf(code, failure))
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #write(context: RequestContext, level: string, stage: Stage, responseStatus: object | undefined): void {
    const { info, exchange, user, impersonator, auditAnnotations, auditBodies } = context
    const now = this.#now()
    const receivedAt = now - (performance.now() - context.startedAt)
    const event = {
      kind: 'Event',
      apiVersion: this.#apiVersion,
      level,
      auditID: context.id,
      stage,
      requestURI: exchange.url,
      verb: info.verb,
      user: userOf(impersonator ?? user),
      ...(impersonator ? { impersonatedUser: userOf(user) } : {}),
      sourceIPs: [exchange.remoteAddress],
      userAgent: exchange.headers['user-agent'],
      ...(info.isResource ? { objectRef: objectRefOf(context) } : {}),
      ...(responseStatus === undefined ? {} : { responseStatus }),
      ...(level === 'Metadata' ? {} : { requestObject: auditBodies?.request }),
      ...(level === 'RequestResponse' ? { responseObject: auditBodies?.response } : {}),
      requestReceivedTimestamp: microTime(receivedAt),
      stageTimestamp: microTime(now),
      ...(auditAnnotations ? { annotations: Object.fromEntries(auditAnnotations) } : {}),
    }
    this.#file.write(`${textOf(event)}\n`)
  }
}

/** A body may nest deeper than can be written again; then all the rest of the event still counts. */
function textOf(event: object): string {
  try {
    return JSON.stringify(event)
  } catch {
    return JSON.stringify({ ...event, requestObject: undefined, responseObject: undefined })
  }
}

function userOf({ name, uid, groups, extra }: RequestContext['user']): object {
  return { username: name, ...(uid ? { uid } : {}), groups, ...(extra ? { extra } : {}) }
}

function objectRefOf({ info }: RequestContext): object {
  const { resource, namespace, name, group, version, subresource } = info
  const filled = Object.entries({ resource, namespace, name, apiGroup: group, apiVersion: version, subresource })
  return Object.fromEntries(filled.filter(([, value]) => value !== ''))
}

const microTime = (at: number) => new Date(at).toISOString().replace('Z', '000Z')

function responseStatusOf(code: number, failure: ApiError | undefined): object {
  if (!failure) return { metadata: {}, code }
  const { message, reason } = failure
  return { metadata: {}, status: 'Failure', message, ...(reason === '' ? {} : { reason }), code }
}
