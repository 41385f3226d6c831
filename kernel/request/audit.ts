import type { ApiError } from 'orch/sdk'
import type { AuditRecordType } from 'orch/sdk/host'
import type { AuditDecision } from '../contracts/audit-level.js'
import type { RequestContext } from '../contracts/request-context.js'
import { type AuditStage, auditEvent, refusalOf, responseStatusOf } from './audit-event.js'
import type { AuditFile } from './audit-file.js'
import type { AuditPolicy } from './audit-policy.js'

/** Records who did what. */
export interface Audit {
  /** Somebody was recognised and wants something. */
  requestReceived(context: RequestContext): void
  /** The request was answered, or, if it is a watch, the answer has begun. `failure` is the error that became the answer. */
  answered(context: RequestContext, code: number, failure?: ApiError): void
  close(): Promise<void>
}

export const noAudit: Audit = { requestReceived: () => {}, answered: () => {}, close: () => Promise.resolve() }

/** Requests of these verbs have no body to record. */
const bodilessVerbs = new Set(['get', 'list', 'watch'])

/** Appends one JSON line per event, as far as the policy asks. Bodies of sensitive types never reach it. */
export class AuditLog implements Audit {
  readonly #policy: AuditPolicy
  readonly #file: AuditFile
  readonly #recordType: AuditRecordType
  readonly #now: () => number
  /** Watches that ended before their answer was recorded. */
  readonly #ended = new WeakSet<RequestContext>()

  constructor(policy: AuditPolicy, file: AuditFile, recordType: AuditRecordType, now: () => number) {
    this.#policy = policy
    this.#file = file
    this.#recordType = recordType
    this.#now = now
  }

  requestReceived(context: RequestContext): void {
    const decision = this.#policy.decide(context, context.user)
    const { level } = decision
    context.auditDecision = decision
    if (level === 'None') return
    context.tellId()
    const { verb } = context.info
    if (level === 'RequestResponse' || (level === 'Request' && !bodilessVerbs.has(verb))) context.auditBodies = {}
    if (verb === 'watch') context.exchange.onClose(() => this.#ended.add(context))
    for (const [key, value] of Object.entries(context.credentialAnnotations ?? {})) context.annotate(key, value)
    this.#write(context, decision, 'RequestReceived', undefined)
  }

  answered(context: RequestContext, code: number, failure?: ApiError): void {
    const { auditDecision: decision } = context
    if (!decision) return this.#refused(context, code, failure)
    const status = responseStatusOf(code, failure, context.answeredStatus)
    if (context.info.verb !== 'watch' || decision.level === 'None')
      return this.#write(context, decision, 'ResponseComplete', status)
    this.#write(context, decision, 'ResponseStarted', status)
    const complete = () => this.#write(context, decision, 'ResponseComplete', status)
    if (this.#ended.has(context)) complete()
    else context.exchange.onClose(complete)
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** The request ended before anybody was recognised. */
  #refused(context: RequestContext, code: number, failure: ApiError | undefined): void {
    const decision = this.#policy.decide(context, undefined)
    const why = code === 401 ? refusalOf(context) : failure
    this.#write(context, decision, 'ResponseStarted', responseStatusOf(code, why))
  }

  #write(
    context: RequestContext,
    decision: AuditDecision,
    stage: AuditStage,
    responseStatus: object | undefined,
  ): void {
    if (decision.level === 'None' || decision.omitStages.has(stage)) return
    const event = auditEvent(context, decision, stage, responseStatus, this.#now())
    this.#file.write(`${textOf({ ...this.#recordType, ...event })}\n`)
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
