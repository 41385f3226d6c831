import type { ObjectMeta } from 'orch/sdk'
import { type AuditDecision, type AuditLevel, isRecorded } from './audit-level.js'
import type { Redaction } from './redaction.js'

/**
 * The part of a request that belongs to the audit log: the contents of its event. Empty for a request that is not
 * audited.
 */
export class RequestAudit {
  /** What is recorded of this request; known once it is authenticated. */
  decision: AuditDecision | undefined
  /** Annotations from the credential. */
  credentialAnnotations: Readonly<Record<string, string>> | undefined
  /** The verb that allowed the impersonation, unless that is plain `impersonate`. */
  impersonationConstraint: string | undefined
  /** The bodies of the event; undefined unless the policy asks for them. */
  bodies: { request?: unknown; response?: unknown } | undefined
  /** Metadata of the object that was sent. */
  sentMetadata: ObjectMeta | undefined
  /** The status of the answer, if that is a Status. */
  answeredStatus: 'Success' | 'Failure' | undefined
  #annotations: Map<string, string> | undefined

  get level(): AuditLevel {
    return this.decision?.level ?? 'None'
  }
  get annotations(): ReadonlyMap<string, string> | undefined {
    return this.#annotations
  }

  /** Records the body of the request, if the event has bodies. The value must not be changed later. */
  recordRequest(sent: () => unknown): void {
    if (this.bodies) this.bodies.request = sent()
  }
  /** Whether the event has the body of the response. */
  get recordsAnswer(): boolean {
    return this.bodies !== undefined && this.level === 'RequestResponse'
  }
  /** Records the body of the answer, if the event has it. The value must not be changed later. */
  recordAnswer(answer: () => unknown): void {
    if (this.recordsAnswer) this.bodies!.response = answer()
  }
  /** Adds an annotation, unless the key has one or the event records less than `level`. */
  annotate(
    key: string,
    value: string | (() => string),
    level: AuditLevel = 'Metadata',
    hidden: Redaction | undefined = undefined,
  ): void {
    if (this.level === 'None' || !isRecorded(this.level, level)) return
    this.#annotations ??= new Map()
    if (this.#annotations.has(key)) return
    const text = typeof value === 'string' ? value : value()
    this.#annotations.set(key, hidden?.removeFrom(text) ?? text)
  }
  /** Sets an annotation, replacing an earlier value. */
  replaceAnnotation(key: string, value: string): void {
    if (this.level === 'None') return
    this.#annotations ??= new Map()
    this.#annotations.set(key, value)
  }
}
