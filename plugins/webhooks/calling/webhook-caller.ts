import { randomUUID } from 'node:crypto'
import type { AdmissionRequest } from 'orch/sdk'
import { credentialHeaders } from 'orch/sdk/client'
import { asStage } from 'orch/sdk/server'
import type { CompiledWebhook } from '../matching/compiled-webhook.js'
import type { ReviewText } from '../reviews/admission-review.js'
import { type ReviewAnswer, readAnswer } from '../reviews/review-answer.js'
import { AdaptiveTimeout } from './adaptive-timeout.js'
import { CallFailure } from './call-failure.js'
import type { Connections } from './connections.js'
import { type Destination, destinationOf } from './destination.js'
import { Deadline, postReview } from './post-review.js'
import type { WebhookCredentials } from './webhook-credentials.js'

/** The state of a webhook that is kept between calls. */
interface CallState {
  readonly destination: Destination
  readonly timeout: AdaptiveTimeout
}
const newCallState = ({ webhook }: CompiledWebhook): CallState => ({
  destination: destinationOf(webhook.clientConfig),
  timeout: new AdaptiveTimeout(),
})

/** How long the caller waits for the result. */
export type WaitingClient = Pick<AdmissionRequest, 'timeLeftMs' | 'signal' | 'trace'>

/** Calls webhooks of one kind. */
export class WebhookCaller {
  readonly #states = new Map<string, CallState>()
  readonly #connections: Connections
  readonly #credentials: WebhookCredentials
  readonly #reviewGroup: string
  readonly #userAgent: string
  readonly #isMutating: boolean

  constructor(
    connections: Connections,
    credentials: WebhookCredentials,
    options: { reviewGroup: string; userAgent: string; isMutating: boolean },
  ) {
    this.#connections = connections
    this.#credentials = credentials
    this.#reviewGroup = options.reviewGroup
    this.#userAgent = options.userAgent
    this.#isMutating = options.isMutating
  }

  /** Drops webhooks that no longer exist; the others keep their connections and their timeout history. */
  retain(webhooks: readonly CompiledWebhook[]): void {
    const known = new Map(this.#states)
    this.#states.clear()
    for (const webhook of webhooks) {
      const state = newCallState(webhook)
      const before = known.get(webhook.id)
      const isSame =
        before?.destination.key === state.destination.key && before.destination.path === state.destination.path
      this.#states.set(webhook.id, isSame ? before : state)
    }
    this.#connections.retain(new Set([...this.#states.values()].map(({ destination }) => destination.key)))
  }

  /** Calls a webhook, for no longer than the client waits. Throws a CallFailure without a valid response in time. */
  async call(webhook: CompiledWebhook, text: ReviewText, client: WaitingClient): Promise<ReviewAnswer> {
    const { id, reviewVersion, timeoutMs } = webhook
    if (reviewVersion === undefined)
      throw new CallFailure('webhook does not accept known AdmissionReview versions (v1, v1beta1)')
    // The webhook may be from a snapshot that has just been replaced.
    const state = this.#states.get(id) ?? newCallState(webhook)
    const uid = randomUUID()
    const groupVersion = `${this.#reviewGroup}/${reviewVersion}`
    const body = text.body(groupVersion, uid)
    const { name } = webhook.webhook
    const answer = client.trace
      ? await asStage(client.trace, 'webhook', stage => this.#post(state, timeoutMs, client, body, stage.headers), {
          name,
        })
      : await this.#post(state, timeoutMs, client, body)
    return readAnswer(answer, { uid, groupVersion, isMutating: this.#isMutating })
  }

  async #post(
    { destination, timeout }: CallState,
    timeoutMs: number,
    client: WaitingClient,
    body: string,
    traceHeaders: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const { signal } = client
    const leftMs = client.timeLeftMs()
    const wait = timeout.begin(timeoutMs)
    const isCutShort = leftMs < wait.waitMs
    // Rounded up, so that the client's own deadline has passed when the call ends.
    const waitMs = isCutShort ? Math.ceil(leftMs) + 1 : wait.waitMs
    const deadline = new Deadline(waitMs, signal)
    const startedAt = performance.now()
    const tookMs = () => performance.now() - startedAt
    try {
      const credential = await this.#credentials.of(destination.hostAndPort).current()
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, */*',
        'user-agent': this.#userAgent,
        ...traceHeaders,
        ...credentialHeaders(credential),
      }
      const path = `${destination.path}?timeout=${Math.ceil(Math.min(timeoutMs, leftMs) / 1000)}s`
      const answer = await postReview(this.#connections.to(destination, credential), { path, headers, body }, deadline)
      wait.end('answer', tookMs())
      return answer
    } catch (error) {
      wait.end(!deadline.isOver ? 'failure' : isCutShort || signal.aborted ? 'cut short' : 'timeout', tookMs())
      throw asFailure(error, destination, deadline.isOver ? waitMs : undefined)
    } finally {
      deadline.clear()
    }
  }
}

/** The URL and the reason, never the request body. */
function asFailure(error: unknown, { origin, path }: Destination, waitedMs: number | undefined): CallFailure {
  const place = `failed to call webhook: Post "${origin}${path}"`
  if (waitedMs !== undefined)
    return new CallFailure(`${place}: no answer within ${waitedMs / 1000} seconds`, { cause: error, isTimeout: true })
  const { message, code } = error as { message?: string; code?: string }
  const answered = error instanceof CallFailure ? { status: error.status } : {}
  return new CallFailure(`${place}: ${message || code || 'connection lost'}`, { cause: error, ...answered })
}
