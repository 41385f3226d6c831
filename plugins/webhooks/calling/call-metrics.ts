import type { AdmissionRequest, Metrics, Operation } from 'orch/sdk'
import type { CompiledWebhook } from '../matching/compiled-webhook.js'

/** How a call ended. */
export type CallOutcome =
  | { readonly is: 'allowed' }
  | { readonly is: 'denied'; readonly code: number }
  | { readonly is: 'failed'; readonly code: number; readonly isIgnored: boolean; readonly isTimeout: boolean }

type Labels = Readonly<Record<string, string>>

/** Counts and times the calls of each webhook. */
export class CallMetrics {
  readonly #type: 'admit' | 'validating'
  readonly #latency
  readonly #requests
  readonly #rejections
  readonly #failures
  readonly #failedOpen
  readonly #allowed = new WeakMap<CompiledWebhook, Map<Operation, Labels>>()

  constructor(metrics: Metrics, isMutating: boolean) {
    this.#type = isMutating ? 'admit' : 'validating'
    const prefix = 'apiserver_admission_webhook'
    this.#latency = metrics.histogram(
      `${prefix}_admission_duration_seconds`,
      'Duration of webhook calls, successful or not.',
      ['name', 'type', 'operation', 'rejected'],
      [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
    )
    this.#requests = metrics.counter(`${prefix}_request_total`, 'Calls of a webhook.', [
      'name',
      'type',
      'operation',
      'code',
      'rejected',
    ])
    this.#rejections = metrics.counter(`${prefix}_rejection_count`, 'Requests rejected because of a webhook.', [
      'name',
      'type',
      'operation',
      'error_type',
      'rejection_code',
    ])
    this.#failures = metrics.counter(`${prefix}_failures_total`, 'Calls without a valid response.', [
      'name',
      'type',
      'cause',
    ])
    this.#failedOpen = metrics.counter(`${prefix}_fail_open_count`, 'Failures that were ignored.', ['name', 'type'])
  }

  observe(webhook: CompiledWebhook, { operation }: AdmissionRequest, startedAt: number, outcome: CallOutcome): void {
    const seconds = (performance.now() - startedAt) / 1000
    if (outcome.is === 'allowed') this.#count(seconds, this.#labelsOfAllowed(webhook, operation))
    else this.#observeTrouble(webhook, operation, seconds, outcome)
  }

  #observeTrouble(
    { name }: CompiledWebhook,
    operation: Operation,
    seconds: number,
    outcome: Exclude<CallOutcome, { is: 'allowed' }>,
  ): void {
    const type = this.#type
    const isRejected = outcome.is === 'denied' || !outcome.isIgnored
    const code = String(outcome.code)
    const labels = { name, type, operation: operation.toUpperCase(), code, rejected: String(isRejected) }
    this.#count(seconds, labels)
    if (isRejected) {
      const error_type = outcome.is === 'failed' ? 'calling_webhook_error' : 'no_error'
      this.#rejections.inc({ ...labels, error_type, rejection_code: code })
    }
    if (outcome.is === 'denied') return
    this.#failures.inc({ name, type, cause: outcome.isTimeout ? 'timeout' : 'error' })
    if (outcome.isIgnored) this.#failedOpen.inc({ name, type })
  }

  #count(seconds: number, labels: Labels): void {
    this.#latency.observe(seconds, labels)
    this.#requests.inc(labels)
  }

  /** Nearly all calls succeed: their labels are created once, and frozen so that metrics find them by identity. */
  #labelsOfAllowed(webhook: CompiledWebhook, operation: Operation): Labels {
    let ofWebhook = this.#allowed.get(webhook)
    if (!ofWebhook) this.#allowed.set(webhook, (ofWebhook = new Map()))
    let labels = ofWebhook.get(operation)
    if (!labels) {
      const { name } = webhook
      const type = this.#type
      labels = Object.freeze({ name, type, operation: operation.toUpperCase(), code: '200', rejected: 'false' })
      ofWebhook.set(operation, labels)
    }
    return labels
  }
}
