import { randomUUID } from 'node:crypto'
import { anonymousUser, type ObjectMeta, type UserInfo } from 'orch/sdk'
import type { Exchange } from '../http/exchange.js'
import type { Representation } from '../representation/negotiate.js'
import { type AuditLevel, isRecorded } from './audit-level.js'
import type { AuditDecision } from './audit-policy.js'
import type { RequestInfo } from './request-info.js'
import { Warnings } from './warnings.js'

/** Longer ids would fill the log with what clients make up. */
const longestId = 128

function givenId({ headers }: Exchange): string | undefined {
  const given = headers['audit-id']
  return typeof given === 'string' && given !== '' && given.length <= longestId ? given : undefined
}

/** What is known about a request on its way through the stages. */
export class RequestContext {
  readonly exchange: Exchange
  /** What the path says. */
  readonly asked: RequestInfo
  /** The same as far as it means something: a cluster-wide object is in no namespace, whatever its path says. */
  info: RequestInfo
  readonly startedAt: number
  /** When it has taken so long it is answered, finished or not. */
  timeoutMs = Number.POSITIVE_INFINITY
  /** Who acts, after impersonation. */
  user: UserInfo = anonymousUser
  /** Who authenticated, when somebody else is impersonated. */
  impersonator: UserInfo | undefined
  /** The wanted form of the answer; undefined until negotiated, or when nothing acceptable was offered. */
  representation: Representation | undefined
  #warnings: Warnings | undefined
  #auditAnnotations: Map<string, string> | undefined
  #id: string | undefined
  /** What the audit log should say about the credential. */
  credentialAnnotations: Readonly<Record<string, string>> | undefined
  /** What the audit log records of this request; known once it is authenticated. */
  auditDecision: AuditDecision | undefined
  /** Metadata of the object that was sent, if the audit log records anything. */
  sentMetadata: ObjectMeta | undefined
  /** What the answer says of itself, if it is a Status; filled for the audit log. */
  answeredStatus: 'Success' | 'Failure' | undefined
  /** Filled by verbs for the audit log, only when the policy asks for bodies. */
  auditBodies: { request?: unknown; response?: unknown } | undefined

  constructor(exchange: Exchange, info: RequestInfo, startedAt: number) {
    this.exchange = exchange
    this.asked = info
    this.info = info
    this.startedAt = startedAt
  }

  /** How long the client still waits; negative when it has been, or is about to be, told that it took too long. */
  timeLeftMs(): number {
    return this.startedAt + this.timeoutMs - performance.now()
  }

  /** An id for logs and audit: the one the client gave, or one that is made on first use. */
  get id(): string {
    this.#id ??= givenId(this.exchange) ?? randomUUID()
    return this.#id
  }
  /** Tells the client under which id its request is recorded. */
  tellId(): void {
    this.exchange.setHeader('Audit-Id', [this.id])
  }
  get auditLevel(): AuditLevel {
    return this.auditDecision?.level ?? 'None'
  }

  /** Adds a Warning header to the answer, once per text. */
  readonly warn = (text: string): void => {
    this.#warnings ??= new Warnings()
    const headers = this.#warnings.add(text)
    if (headers) this.exchange.setHeader('Warning', headers)
  }
  /** Notes what was sent for the audit event, if it records bodies. The value must not be changed later. */
  auditRequest(sent: () => unknown): void {
    if (this.auditBodies) this.auditBodies.request = sent()
  }
  /** Notes which object was sent: paths of new objects do not say. */
  auditMetadata(metadata: ObjectMeta | undefined): void {
    if (this.auditLevel !== 'None') this.sentMetadata = metadata && { ...metadata }
  }
  /** Adds an annotation to the audit event, once per key, if it records that much. */
  annotate(key: string, value: string | (() => string), level: AuditLevel = 'Metadata'): void {
    if (this.auditLevel === 'None' || !isRecorded(this.auditLevel, level)) return
    this.#auditAnnotations ??= new Map()
    if (this.#auditAnnotations.has(key)) return
    this.#auditAnnotations.set(key, typeof value === 'string' ? value : value())
  }
  /** Adds an annotation about the whole request, of which only the last value is true. */
  replaceAnnotation(key: string, value: string): void {
    if (this.auditLevel === 'None') return
    this.#auditAnnotations ??= new Map()
    this.#auditAnnotations.set(key, value)
  }
  get auditAnnotations(): ReadonlyMap<string, string> | undefined {
    return this.#auditAnnotations
  }

  /** Should JSON be indented? On request, and for clients that are people. */
  get isPretty(): boolean {
    const { query } = this.info
    const asked = query.size === 0 ? null : query.get('pretty')
    if (this.representation?.isPretty) return true
    if (asked) return /^(1|t|T|true|True|TRUE)$/.test(asked)
    const agent = this.exchange.headers['user-agent']
    return agent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(agent)
  }
}
