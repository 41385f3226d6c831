import { randomUUID } from 'node:crypto'
import type { ObjectMeta, UserInfo } from 'orch/sdk'
import { anonymousUser } from 'orch/sdk/identity'
import type { RecordedRequest } from 'orch/sdk/server'
import type { AuditLevel } from './audit-level.js'
import type { Exchange } from './exchange.js'
import type { Redaction } from './redaction.js'
import type { Representation } from './representation.js'
import { RequestAudit } from './request-audit.js'
import type { RequestInfo } from './request-info.js'
import { RequestProgress } from './request-progress.js'
import { Warnings } from './warnings.js'

/** A step that processes a larger body may take long enough to delay other requests. */
const largeBodyBytes = 32 * 1024
/** After this much work a request yields, however small its body: an object may consist of defaults. */
const longWorkMs = 10
/** Longer ids would let clients fill the log. */
const maxIdLength = 128

function requestedId({ headers }: Exchange): string | undefined {
  const id = headers['audit-id']
  return typeof id === 'string' && id !== '' && id.length <= maxIdLength ? id : undefined
}

/** The part of a request that belongs to the recorder of the test kit. */
export interface RecordInProgress {
  sent?: unknown
  /** The name of the created object. */
  name?: string
  /** A watch whose answer has begun. */
  watch?: RecordedRequest
  isClosed?: boolean
}

/** A request on its way through the stages. Each part below belongs to the stage that its comment names. */
export class RequestContext {
  readonly exchange: Exchange
  readonly info: RequestInfo
  /** Owned by the runner of the stages. */
  readonly progress: RequestProgress
  /**
   * Called when the request continues after it waited for its body or yielded: from then on it may block the event
   * loop.
   */
  onResume: ((context: RequestContext) => void) | undefined
  /**
   * Owned by the audit log: called once, when the response of a long-running request begins; undefined if not needed.
   */
  onAnswerBegins: ((code: number) => void) | undefined
  /** Owned by the audit log. */
  readonly audit = new RequestAudit()
  /** Owned by authentication and impersonation: the acting user. */
  user: UserInfo = anonymousUser
  /** Owned by impersonation: the authenticated user, if another one is impersonated. */
  impersonator: UserInfo | undefined
  /** Owned by the in-flight limits: releases the seat; undefined without a seat. */
  freeSeat: (() => void) | undefined
  /**
   * Owned by the verb: the form of the response; undefined until negotiated, or if the client accepts none of the
   * available ones.
   */
  representation: Representation | undefined
  /** Owned by the verb: values that no message may repeat; undefined unless the request writes to a sensitive type. */
  hidden: Redaction | undefined
  /** Owned by the recorder; undefined unless there is one. */
  recorded: RecordInProgress | undefined
  /** How many items of lists and maps a sent object may have: each costs time during which other requests wait. */
  maxObjectItems: number | undefined
  #warnings: Warnings | undefined
  #id: string | undefined
  #isLarge = false
  /** When it last resumed after waiting. */
  #resumedAt: number
  #aborted: AbortController | undefined

  constructor(exchange: Exchange, info: RequestInfo, startedAt: number) {
    this.exchange = exchange
    this.info = info
    this.progress = new RequestProgress(startedAt)
    this.#resumedAt = startedAt
  }

  get isFinished(): boolean {
    return this.progress.isFinished
  }

  /** The whole body. Rejects with a 413 ApiError beyond `limitBytes`. */
  async readBody(limitBytes: number): Promise<Buffer> {
    const body = await this.exchange.readBody(limitBytes)
    this.onResume?.(this)
    this.#resumedAt = performance.now()
    this.noteBodySize(body)
    return body
  }
  /** Notes the size of the body that the request processes: the one that was sent, or the stored object. */
  noteBodySize(body: Buffer): void {
    if (body.length > largeBodyBytes) this.#isLarge = true
  }
  /** Whether the body that it processes is large: then each step yields to the event loop. */
  get isLarge(): boolean {
    return this.#isLarge
  }
  /**
   * Yields to the event loop between two steps on a large body, or after long work; undefined for other
   * requests, which do not yield.
   */
  yieldIfLarge(): Promise<void> | undefined {
    if (!this.#isLarge && performance.now() - this.#resumedAt < longWorkMs) return undefined
    return new Promise(resolve =>
      setImmediate(() => {
        this.onResume?.(this)
        this.#resumedAt = performance.now()
        resolve()
      }),
    )
  }

  /** Aborted when the client has disconnected or has its response. Created on first use: few requests need it. */
  get signal(): AbortSignal {
    if (!this.#aborted) {
      const aborted = new AbortController()
      this.exchange.onClose(() => aborted.abort())
      this.#aborted = aborted
    }
    return this.#aborted.signal
  }

  /** The id in logs and audit: the client's, or one made on first use. */
  get id(): string {
    this.#id ??= requestedId(this.exchange) ?? randomUUID()
    return this.#id
  }
  /** The id, if it was made or sent already. */
  get knownId(): string | undefined {
    return this.#id
  }
  /** Sends the client the id of its request. */
  sendAuditId(): void {
    this.exchange.setHeader('Audit-Id', [this.id])
  }

  /** Releases the seat, if the request has one. */
  releaseSeat(): void {
    const free = this.freeSeat
    this.freeSeat = undefined
    free?.()
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
  /**
   * Records the object or patch that was sent, for the audit log and the recorder. The value must not be changed later.
   */
  recordRequestObject(sent: () => unknown): void {
    this.audit.recordRequest(sent)
    this.hidden?.add(sent())
    if (this.recorded && !this.hidden) this.recorded.sent = sent()
  }
  /** Records which object was sent, because the path of a create does not contain its name. */
  recordMetadata(metadata: ObjectMeta | undefined): void {
    if (this.audit.level !== 'None' || this.recorded) this.audit.sentMetadata = metadata && { ...metadata }
  }
  /** Records the name of a created object, which may be generated. */
  recordCreated(name: string): void {
    if (this.recorded) this.recorded.name = name
  }
  /** Adds an annotation to the audit event, once per key, if it records that much. */
  annotate(key: string, value: string | (() => string), level?: AuditLevel): void {
    this.audit.annotate(key, value, level, this.hidden)
  }

  /** Whether JSON is indented: on request, and for browsers and curl. */
  get isPretty(): boolean {
    const { query } = this.info
    const asked = query.size === 0 ? null : query.get('pretty')
    if (this.representation?.isPretty) return true
    if (asked) return /^(1|t|T|true|True|TRUE)$/.test(asked)
    const agent = this.exchange.headers['user-agent']
    return agent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(agent)
  }
}
