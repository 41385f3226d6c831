import { type ApiError, internalError } from 'orch/sdk'
import { writeJson } from '../../libs/json/index.js'
import type { AuditDecision } from '../contracts/audit-level.js'
import type { RequestContext } from '../contracts/request-context.js'
import { escapeControls } from '../observe/escape-controls.js'
import {
  type AuditStage,
  auditEvent,
  type PluginViolation,
  refusalOf,
  responseStatusOf,
  violationEvent,
} from './audit-event.js'
import type { AuditPolicy } from './audit-policy.js'

/** Records who did what. */
export interface Audit {
  /** Rejects when a file or server that the options name cannot be used. */
  open(): Promise<void>
  /** A request was authenticated. It waits for the event to be written if the options require it. */
  requestReceived(context: RequestContext): void | Promise<void>
  /**
   * The request was answered or, for a watch, the response has begun. `failure` is the error that became the response.
   */
  answered(context: RequestContext, code: number, failure?: ApiError): void
  /** A plugin in a process of its own was refused what its permissions do not allow. */
  pluginRefused(plugin: string, violation: PluginViolation): void
  close(): Promise<void>
}

export const noAudit: Audit = {
  open: () => Promise.resolve(),
  requestReceived: () => {},
  answered: () => {},
  pluginRefused: () => {},
  close: () => Promise.resolve(),
}

/** Builds the event again without bodies, and with these additional annotations. */
export type WithoutBodies = (annotations: Readonly<Record<string, string>>) => string

/** Where events go. */
export interface AuditSink {
  /** Rejects if the sink cannot be used as configured. */
  open?(): Promise<void>
  /**
   * Takes an event: JSON without kind and version. The promise resolves when the event was delivered, and rejects in modes that
   * require delivery; undefined in modes that do not wait. Sinks for which the event is too large get it without bodies, and with
   * further annotations, from `withoutBodies`.
   */
  write(event: string, withoutBodies: WithoutBodies): void | Promise<void>
  close(): Promise<void>
}

/** Counters of the audit log. */
export interface AuditCounts {
  /** An event was passed to the sinks. */
  recorded(): void
  /** A request was refused because it could not be recorded. */
  refused(): void
}

/** Requests that may last as long as watches: the log has an event when their response begins, too. */
export type LongRunning = (context: RequestContext) => boolean

/** Requests of these verbs have no body to record. */
const bodilessVerbs = new Set(['get', 'list', 'watch'])

/** Writes events as the policy requires. Bodies of sensitive types never get here. */
export class AuditLog implements Audit {
  readonly #policy: AuditPolicy
  readonly #sinks: readonly AuditSink[]
  readonly #counts: AuditCounts
  readonly #now: () => number
  readonly #isConnection: LongRunning
  /** Watches that ended before their response was recorded. */
  readonly #ended = new WeakSet<RequestContext>()

  constructor(
    policy: AuditPolicy,
    sinks: readonly AuditSink[],
    counts: AuditCounts,
    now: () => number,
    isConnection: LongRunning = () => false,
  ) {
    this.#policy = policy
    this.#sinks = sinks
    this.#counts = counts
    this.#now = now
    this.#isConnection = isConnection
  }

  async open(): Promise<void> {
    await Promise.all(this.#sinks.map(sink => sink.open?.()))
  }

  requestReceived(context: RequestContext): void | Promise<void> {
    const decision = this.#policy.decide(context, context.user)
    const { level } = decision
    context.audit.decision = decision
    if (level === 'None') return
    context.sendAuditId()
    const { verb } = context.info
    if (level === 'RequestResponse' || (level === 'Request' && !bodilessVerbs.has(verb))) context.audit.bodies = {}
    if (verb === 'watch') context.exchange.onClose(() => this.#ended.add(context))
    else if (this.#isConnection(context))
      context.onAnswerBegins = code => this.#connectionBegins(context, decision, code)
    for (const [key, value] of Object.entries(context.audit.credentialAnnotations ?? {})) context.annotate(key, value)
    return this.#write(context, decision, 'RequestReceived', undefined)?.catch(error => {
      this.#counts.refused()
      throw internalError('the request cannot be recorded, and requests that are not recorded are refused', {
        cause: error,
      })
    })
  }

  answered(context: RequestContext, code: number, failure?: ApiError): void {
    const { decision } = context.audit
    if (!decision) return this.#refused(context, code, failure)
    const status = responseStatusOf(code, failure, context.audit.answeredStatus)
    // A response whose beginning was not recorded, such as an error, begins and ends now.
    if (context.onAnswerBegins) this.#record(context, decision, 'ResponseStarted', status)
    if (context.info.verb !== 'watch' || decision.level === 'None')
      return this.#record(context, decision, 'ResponseComplete', status)
    this.#record(context, decision, 'ResponseStarted', status)
    const complete = () => this.#record(context, decision, 'ResponseComplete', status)
    if (this.#ended.has(context)) complete()
    else context.exchange.onClose(complete)
  }

  /** It is no request, so no rule of the policy is about it. */
  pluginRefused(plugin: string, violation: PluginViolation): void {
    const text = escapeControls(JSON.stringify(violationEvent(plugin, violation, this.#now())))
    this.#counts.recorded()
    for (const sink of this.#sinks) sink.write(text, () => text)?.catch(() => {})
  }

  async close(): Promise<void> {
    await Promise.all(this.#sinks.map(sink => sink.close()))
  }

  /** The request of a connection is answered when it ends, perhaps hours later. */
  #connectionBegins(context: RequestContext, decision: AuditDecision, code: number): void {
    context.onAnswerBegins = undefined
    this.#record(context, decision, 'ResponseStarted', responseStatusOf(code, undefined))
  }

  /** The request ended before it was authenticated. */
  #refused(context: RequestContext, code: number, failure: ApiError | undefined): void {
    const decision = this.#policy.decide(context, undefined)
    const why = code === 401 ? refusalOf(context) : failure
    this.#record(context, decision, 'ResponseStarted', responseStatusOf(code, why))
  }

  /** The response was already sent, so the request neither waits for this event nor fails without it. */
  #record(context: RequestContext, decision: AuditDecision, stage: AuditStage, responseStatus: object): void {
    this.#write(context, decision, stage, responseStatus)?.catch(() => {})
  }

  #write(
    context: RequestContext,
    decision: AuditDecision,
    stage: AuditStage,
    responseStatus: object | undefined,
  ): Promise<void> | undefined {
    if (decision.level === 'None' || decision.omitStages.has(stage)) return undefined
    const event = auditEvent(context, decision, stage, responseStatus, this.#now())
    const text = textOf(event)
    const without: WithoutBodies = annotations => withoutBodies(event, annotations)
    this.#counts.recorded()
    let waited: Promise<void> | undefined
    for (const sink of this.#sinks) waited = sink.write(text, without) || waited
    return waited
  }
}

/** A body may be too large to be serialized; the rest of the event is still recorded. */
function textOf(event: object): string {
  try {
    return escapeControls(writeJson(event))
  } catch {
    return withoutBodies(event)
  }
}

function withoutBodies(event: object, more?: Readonly<Record<string, string>>): string {
  const { annotations } = event as { readonly annotations?: object }
  const all = annotations || more ? { annotations: { ...annotations, ...more } } : {}
  return escapeControls(JSON.stringify({ ...event, requestObject: undefined, responseObject: undefined, ...all }))
}
