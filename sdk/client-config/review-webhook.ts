import { ApiError } from '../resource/api-errors.js'
import { WebhookEndpoint, type WebhookEndpointOptions } from './webhook-endpoint.js'

/** Where a webhook is, and how patient to be with it. */
export interface ReviewWebhookOptions extends WebhookEndpointOptions {
  /** How long to wait before the second attempt; half a second by default. Later ones wait longer. */
  readonly firstDelayMs?: number
}

const attempts = 5
const defaultFirstDelayMs = 500
const delayFactor = 1.5

/** Another server that answers reviews: it gets an object by POST and answers with its `status` filled in. */
export class ReviewWebhook {
  readonly #options: ReviewWebhookOptions
  readonly #endpoint: WebhookEndpoint

  constructor(options: ReviewWebhookOptions) {
    this.#options = options
    this.#endpoint = new WebhookEndpoint(options)
  }

  /** Reads the file; rejects with a ClientConfigError when it cannot be used. Called at start, it stops a wrong one there. */
  connect(): Promise<void> {
    return this.#endpoint.connect()
  }
  /** The status of the answer. Tries again while the webhook is out of reach, overloaded or broken. */
  async review(object: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const body = JSON.stringify(object)
    let delayMs = this.#options.firstDelayMs ?? defaultFirstDelayMs
    for (let attempt = 1; ; attempt++) {
      try {
        return statusOf(await this.#endpoint.post(body), object)
      } catch (error) {
        if (attempt >= attempts || !isWorthRepeating(error)) throw error
      }
      const pauseMs = delayMs
      await new Promise<void>(resolve => this.#options.clock.after(pauseMs, resolve))
      delayMs *= delayFactor
    }
  }
  close(): Promise<void> {
    return this.#endpoint.close()
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The status of an answer, which is of the kind and version that was sent, or does not say. */
function statusOf(answer: string, sent: Fields): Fields {
  let parsed: Fields | null
  try {
    parsed = JSON.parse(answer) as Fields | null
  } catch {
    // What the parser says quotes the answer, which may quote what was sent.
    throw new Error('the answer is not JSON')
  }
  if (['kind', 'apiVersion'].some(name => (parsed?.[name] || sent[name]) !== sent[name]))
    throw new Error(`the answer is no ${sent['kind']} of ${sent['apiVersion']}`)
  const status = parsed?.['status']
  if (typeof status !== 'object' || status === null) throw new Error('the answer has no status')
  return status as Fields
}

/** No answer, an overloaded or a broken server: the next attempt may succeed. */
const isWorthRepeating = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 429 || error.code >= 500)
