import type { AdmissionRequest, Metrics } from 'orch/sdk'
import type { CompiledWebhook } from '../matching/compiled-webhook.js'

/** How a call ended. */
export type CallOutcome =
  | { readonly is: 'allowed' }
  | { readonly is: 'denied'; readonly code: number }
  | { readonly is: 'failed'; readonly isIgnored: boolean; readonly isTimeout: boolean }

/** Counts and times the calls of each webhook. */
export class CallMetrics {
  readonly #type: 'admit' | 'validating'
  readonly #latency
  readonly #requests
  readonly #rejections
  readonly #failures
  readonly #failedOpen

  constructor(metrics: Metrics, isMutating: boolean) {
    this.#type = isMutating ? 'admit' : 'validating'
    const prefix = 'apiserver_admission_webhook'
    this.#latency = metrics.histogram(
      `${prefix}_admission_duration_seconds`,
      'Time a webhook took to answer, or not to.',
      ['name', 'type', 'operation', 'rejected'],
      [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30],
    )
    this.#requests = metrics.counter(`${prefix}_request_total`, 'Calls of a webhook.', [
      'name',
      'type',
      'operation',
      'code',
      'rejected',
    ])
    this.#rejections = metrics.counter(`${prefix}_rejection_count`, 'Requests refused because of a webhook.', [
      'name',
      'type',
      'operation',
      'error_type',
      'rejection_code',
    ])
    this.#failures = metrics.counter(`${prefix}_failures_total`, 'Calls without a proper answer.', [
      'name',
      'type',
      'cause',
    ])
    this.#failedOpen = metrics.counter(`${prefix}_fail_open_count`, 'Failures that were ignored.', ['name', 'type'])
  }

  observe({ name }: CompiledWebhook, request: AdmissionRequest, startedAt: number, outcome: CallOutcome): void {
    const type = this.#type
    const labels = { name, type, operation: request.operation.toUpperCase() }
    const isRejected = outcome.is === 'denied' || (outcome.is === 'failed' && !outcome.isIgnored)
    const code = outcome.is === 'allowed' ? '200' : outcome.is === 'denied' ? String(outcome.code) : '0'
    const rejected = String(isRejected)
    this.#latency.observe((performance.now() - startedAt) / 1000, { ...labels, rejected })
    this.#requests.inc({ ...labels, code, rejected })
    if (isRejected)
      this.#rejections.inc({
        ...labels,
        error_type: outcome.is === 'failed' ? 'calling_webhook_error' : 'no_error',
        rejection_code: code,
      })
    if (outcome.is !== 'failed') return
    this.#failures.inc({ name, type, cause: outcome.isTimeout ? 'timeout' : 'error' })
    if (outcome.isIgnored) this.#failedOpen.inc({ name, type })
  }
}
