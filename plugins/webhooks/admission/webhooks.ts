import {
  type AdmissionRequest,
  ApiError,
  badRequest,
  type Caches,
  forbidden,
  internalError,
  type Logger,
  type StoreReader,
  timedOut,
} from 'orch/sdk'
import type { CompiledConditions, ConditionLanguage } from 'orch/sdk/expressions'
import { isQualifiedName } from 'orch/sdk/validation'
import { CallFailure } from '../calling/call-failure.js'
import type { CallMetrics, CallOutcome } from '../calling/call-metrics.js'
import type { WebhookCaller } from '../calling/webhook-caller.js'
import type { CompiledWebhook } from '../matching/compiled-webhook.js'
import { type Candidate, isSelected } from '../matching/webhook-snapshot.js'
import type { WebhookSource } from '../matching/webhook-source.js'
import type { ReviewText } from '../reviews/admission-review.js'
import { denial, type ReviewAnswer } from '../reviews/review-answer.js'

export interface WebhooksParts {
  readonly source: WebhookSource
  readonly caller: WebhookCaller
  readonly metrics: CallMetrics
  readonly caches: Caches
  readonly reader: StoreReader
  readonly logger: Logger
  readonly language: ConditionLanguage
  /** The group of the configurations, to which webhooks do not apply. */
  readonly configurationGroup: string
  /** Prefix of the audit annotation for an ignored failure. */
  readonly failedOpenAnnotation: string
  start(): Promise<void>
  close(): Promise<void>
}

const configurationsOfAdmission: ReadonlySet<string> = new Set(
  ['mutating', 'validating'].flatMap(kind => [
    `${kind}webhookconfigurations`,
    `${kind}admissionpolicies`,
    `${kind}admissionpolicybindings`,
  ]),
)

/** The webhooks of one kind: finds those that match a request, and calls them. */
export class Webhooks {
  readonly #parts: WebhooksParts
  readonly #conditions = new WeakMap<CompiledWebhook, Promise<CompiledConditions>>()
  constructor(parts: WebhooksParts) {
    this.#parts = parts
  }

  async ready(): Promise<void> {
    await Promise.all([this.#parts.source.ready(), this.#parts.start()])
  }
  close(): Promise<void> {
    return this.#parts.close()
  }

  /** Webhooks whose rules match, in the order to call them; undefined until the configurations are known. */
  candidates(request: AdmissionRequest): readonly Candidate[] | undefined {
    // A broken webhook for what configures admission could not be fixed through the API.
    if (request.group === this.#parts.configurationGroup && configurationsOfAdmission.has(request.resource)) return []
    return this.#parts.source.current()?.candidates(request)
  }

  /** Whether the selectors and conditions of a candidate match the object. */
  async isSelected(candidate: Candidate, request: AdmissionRequest): Promise<boolean> {
    if (!(await isSelected(candidate, request, this.#parts))) return false
    return candidate.webhook.conditions === undefined || this.#conditionsHold(candidate, request)
  }

  /** A condition that fails counts as a call that fails. */
  async #conditionsHold({ webhook, as }: Candidate, request: AdmissionRequest): Promise<boolean> {
    await request.served.prepare(as)
    const conditions = await this.#compiled(webhook)
    const outcome = (await conditions?.hold(request, as)) ?? { error: 'the server has no plugin for their expressions' }
    if (typeof outcome === 'boolean') return outcome
    if (webhook.isFailureIgnored) return false
    throw forbidden(
      { group: request.group, resource: request.resource, name: request.name },
      `match conditions of admission webhook ${JSON.stringify(webhook.name)} failed: ${outcome.error}`,
    )
  }

  #compiled(webhook: CompiledWebhook): Promise<CompiledConditions> | undefined {
    let compiled = this.#conditions.get(webhook)
    // Stored expressions were valid; one that no longer compiles fails when it is evaluated.
    compiled ??= this.#parts.language.compile?.(webhook.conditions ?? [], () => {})
    if (compiled) this.#conditions.set(webhook, compiled)
    return compiled
  }

  /**
   * Calls a webhook and returns what `read` makes of the answer. Throws an ApiError if the request must fail; undefined if the
   * failure is ignored. The answer has failed as well if `read` throws a CallFailure.
   */
  async ask<T>(
    { webhook, index }: Candidate,
    request: AdmissionRequest,
    text: ReviewText,
    round: number,
    read: (answer: ReviewAnswer) => T,
  ): Promise<T | undefined> {
    if (request.dryRun && !webhook.mayDryRun)
      throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`)
    throwIfTimedOut(request)
    const startedAt = performance.now()
    const observe = (outcome: CallOutcome) => this.#parts.metrics.observe(webhook, request, startedAt, outcome)
    // The call may take long, and the webhook may itself write the object.
    request.releaseLock()
    const handleFailure = (failure: unknown) => {
      throwIfGone(request)
      const { isTimeout, status: code } = failure instanceof CallFailure ? failure : new CallFailure('')
      observe({ is: 'failed', code, isIgnored: webhook.isFailureIgnored, isTimeout })
      throwIfTimedOut(request)
      this.#fail(webhook, request, failure as Error)
      request.annotate(`${this.#parts.failedOpenAnnotation}/round_${round}_index_${index}`, webhook.name)
    }
    let answer: ReviewAnswer
    try {
      answer = await this.#parts.caller.call(webhook, text, request)
    } catch (failure) {
      handleFailure(failure)
      return undefined
    }
    addWarningsAndAnnotations(webhook, request, answer)
    if (!answer.isAllowed) {
      const refusal = denial(webhook.name, answer.status)
      observe({ is: 'denied', code: refusal.code })
      throw refusal
    }
    try {
      const result = read(answer)
      observe({ is: 'allowed' })
      return result
    } catch (failure) {
      if (failure instanceof CallFailure) handleFailure(failure)
      else {
        // The request fails, but not because of the call.
        observe({ is: 'allowed' })
        throw failure
      }
      return undefined
    }
  }

  /** Throws unless failures are ignored. */
  #fail(
    { name, isFailureIgnored, configurationName }: CompiledWebhook,
    { operation }: AdmissionRequest,
    failure: Error,
  ) {
    const { logger } = this.#parts
    const what = { webhook: name, configuration: configurationName, operation, error: failure.message }
    if (isFailureIgnored)
      return logger.warn('a webhook could not be called; its failure policy allows the request', what)
    logger.warn('a webhook could not be called; its failure policy fails the request', what)
    throw internalError(`failed calling webhook ${JSON.stringify(name)}: ${failure.message}`, { cause: failure })
  }
}

/** Further calls are useless when the client no longer waits, whatever the failure policies. */
function throwIfTimedOut(request: AdmissionRequest): void {
  throwIfGone(request)
  if (request.timeLeftMs() <= 0) throw timedOut('request did not complete within the allotted timeout', {})
}

/** A call that was cancelled because the client disconnected says nothing about the webhook. */
function throwIfGone({ signal }: AdmissionRequest): void {
  if (signal.aborted) throw new ApiError(499, 'ClientClosedRequest', 'the client closed its connection')
}

/** Warnings go to the client, annotations to the audit log. */
function addWarningsAndAnnotations({ name }: CompiledWebhook, request: AdmissionRequest, answer: ReviewAnswer): void {
  for (const text of answer.warnings) request.warn(text)
  for (const [key, value] of Object.entries(answer.auditAnnotations)) {
    const qualified = `${name}/${key}`
    if (isQualifiedName(qualified).length === 0) request.annotate(qualified, value)
  }
}
