import { randomUUID } from 'node:crypto'
import { anonymousUser, type ObjectMeta, type RecordedRequest, type TraceStage, type UserInfo } from 'orch/sdk'
import { type AuditDecision, type AuditLevel, isRecorded } from './audit-level.js'
import type { Exchange } from './exchange.js'
import type { Redaction } from './redaction.js'
import type { Representation } from './representation.js'
import type { RequestInfo } from './request-info.js'
import { Warnings } from './warnings.js'

/** Longer ids would fill the log with what clients make up. */
const longestId = 128

function givenId({ headers }: Exchange): string | undefined {
  const given = headers['audit-id']
  return typeof given === 'string' && given !== '' && given.length <= longestId ? given : undefined
}

/** What a body of more bytes needs, step by step, may take long. */
const largeBodyBytes = 32 * 1024

/** What is kept of a request until a recorder is told of it. */
export interface RecordInProgress {
  sent?: unknown
  /** The name of the object that it created. */
  name?: string
  /** A watch whose answer has begun. */
  watch?: RecordedRequest
  isClosed?: boolean
}

/** What is known about a request on its way through the stages. */
export class RequestContext {
  readonly exchange: Exchange
  readonly info: RequestInfo
  readonly startedAt: number
  /** When it has taken so long it is answered, finished or not. */
  timeoutMs = Number.POSITIVE_INFINITY
  /** Items of lists and maps that a sent object may have in all; what looks at all of them holds up everybody else. */
  maxObjectItems: number | undefined
  /** Who acts, after impersonation. */
  user: UserInfo = anonymousUser
  /** Who authenticated, when somebody else is impersonated. */
  impersonator: UserInfo | undefined
  /** The wanted form of the answer; undefined until negotiated, or when nothing acceptable was offered. */
  representation: Representation | undefined
  #warnings: Warnings | undefined
  #auditAnnotations: Map<string, string> | undefined
  #id: string | undefined
  #isLarge = false
  #gone: AbortController | undefined
  /** What the audit log should say about the credential. */
  credentialAnnotations: Readonly<Record<string, string>> | undefined
  /** What the audit log records of this request; known once it is authenticated. */
  auditDecision: AuditDecision | undefined
  /** Metadata of the object that was sent, if anything is recorded. */
  sentMetadata: ObjectMeta | undefined
  /** What the answer says of itself, if it is a Status; filled for the audit log. */
  answeredStatus: 'Success' | 'Failure' | undefined
  /** Gives back its place among those in flight; undefined while it has none. */
  leavePlace: (() => void) | undefined
  /** Its number among those that have not been answered yet. */
  pendingNumber: number | undefined
  /** It was answered, counted and recorded; whatever still works on it works for nobody. */
  isOver = false
  /** Filled by verbs for the audit log, only when the policy asks for bodies. */
  auditBodies: { request?: unknown; response?: unknown } | undefined
  /** What a recorder is told at the end; undefined unless there is one. */
  recorded: RecordInProgress | undefined
  /** The request as the stage that all others are within; undefined unless somebody follows it. */
  trace: TraceStage | undefined
  /** What no message may repeat; undefined unless the request writes to a sensitive type. */
  hidden: Redaction | undefined

  constructor(exchange: Exchange, info: RequestInfo, startedAt: number) {
    this.exchange = exchange
    this.info = info
    this.startedAt = startedAt
  }

  /** Told when the request goes on after it waited for its body: from then on it may hold the event loop. */
  onResume: ((context: RequestContext) => void) | undefined

  /** The whole body. Rejects with a 413 ApiError beyond `limitBytes`. */
  async readBody(limitBytes: number): Promise<Buffer> {
    const body = await this.exchange.readBody(limitBytes)
    this.onResume?.(this)
    this.worksOn(body)
    return body
  }

  /** Notes that the request is about so many bytes. */
  worksOn(body: Buffer): void {
    if (body.length > largeBodyBytes) this.#isLarge = true
  }
  /**
   * Between two steps of the work on a large object: lets the event loop do what else there is to do. Undefined for all others,
   * which need not wait.
   */
  turn(): Promise<void> | undefined {
    if (!this.#isLarge) return undefined
    return new Promise(resolve =>
      setImmediate(() => {
        this.onResume?.(this)
        resolve()
      }),
    )
  }

  /** How long the client still waits; negative when it has been, or is about to be, told that it took too long. */
  timeLeftMs(): number {
    return this.startedAt + this.timeoutMs - performance.now()
  }

  /** Aborted when the client has gone or has its answer. Made when somebody asks for it, which few requests do. */
  get signal(): AbortSignal {
    if (!this.#gone) {
      const gone = new AbortController()
      this.exchange.onClose(() => gone.abort())
      this.#gone = gone
    }
    return this.#gone.signal
  }

  /** An id for logs and audit: the one the client gave, or one that is made on first use. */
  get id(): string {
    this.#id ??= givenId(this.exchange) ?? randomUUID()
    return this.#id
  }
  /** The id, if anybody has asked for it so far. */
  get knownId(): string | undefined {
    return this.#id
  }
  /** Tells the client under which id its request is recorded. */
  tellId(): void {
    this.exchange.setHeader('Audit-Id', [this.id])
  }
  get auditLevel(): AuditLevel {
    return this.auditDecision?.level ?? 'None'
  }

  /** Gives the place back, if the request has one. */
  leaveItsPlace(): void {
    const leave = this.leavePlace
    this.leavePlace = undefined
    leave?.()
  }

  setHeader(name: string, values: readonly string[]): void {
    this.exchange.setHeader(name, values)
  }

  /** Adds a Warning header to the answer, once per text. */
  readonly warn = (text: string): void => {
    this.#warnings ??= new Warnings()
    const headers = this.#warnings.add(this.hidden?.removeFrom(text) ?? text)
    if (headers) this.exchange.setHeader('Warning', headers)
  }
  /** Notes what was sent for the audit event, if it records bodies. The value must not be changed later. */
  auditRequest(sent: () => unknown): void {
    if (this.auditBodies) this.auditBodies.request = sent()
  }
  /** Does the audit event show what is answered? */
  get auditsAnswer(): boolean {
    return this.auditBodies !== undefined && this.auditLevel === 'RequestResponse'
  }
  /** Notes what is answered, if the audit event shows it. The value must not be changed later. */
  auditAnswer(answer: () => unknown): void {
    if (this.auditsAnswer) this.auditBodies!.response = answer()
  }
  /** Notes an object, or a patch of one, that was sent. The value must not be changed later. */
  noteSent(sent: () => unknown): void {
    this.auditRequest(sent)
    this.hidden?.add(sent())
    if (this.recorded && !this.hidden) this.recorded.sent = sent()
  }
  /** Notes which object was sent: paths of new objects do not say. */
  auditMetadata(metadata: ObjectMeta | undefined): void {
    if (this.auditLevel !== 'None' || this.recorded) this.sentMetadata = metadata && { ...metadata }
  }
  /** Notes the name of an object that was created, which may have been made up. */
  noteCreated(name: string): void {
    if (this.recorded) this.recorded.name = name
  }
  /** Adds an annotation to the audit event, once per key, if it records that much. */
  annotate(key: string, value: string | (() => string), level: AuditLevel = 'Metadata'): void {
    if (this.auditLevel === 'None' || !isRecorded(this.auditLevel, level)) return
    this.#auditAnnotations ??= new Map()
    if (this.#auditAnnotations.has(key)) return
    const text = typeof value === 'string' ? value : value()
    this.#auditAnnotations.set(key, this.hidden?.removeFrom(text) ?? text)
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
