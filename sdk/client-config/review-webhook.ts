import { ApiError } from '../resource/api-errors.js'
import { WebhookEndpoint, type WebhookEndpointOptions } from './webhook-endpoint.js'

/** The address of a webhook, and how it is retried. */
export interface ReviewWebhookOptions extends WebhookEndpointOptions {
  /** The delay before the second attempt; half a second by default. Later delays are longer. */
  readonly firstDelayMs?: number
}

const attempts = 5
const defaultFirstDelayMs = 500
const delayFactor = 1.5

/** A webhook that answers reviews: it gets an object by POST and returns it with its `status`. */
export class ReviewWebhook {
  readonly #options: ReviewWebhookOptions
  readonly #endpoint: WebhookEndpoint

  constructor(options: ReviewWebhookOptions) {
    this.#options = options
    this.#endpoint = new WebhookEndpoint(options)
  }

  /** Reads the file; rejects with a ClientConfigError when it cannot be used. Call it at start, so that an invalid file fails the start. */
  connect(): Promise<void> {
    return this.#endpoint.connect()
  }
  /** The status of the response. Retries while the webhook is unreachable, overloaded or failing. */
  async review(object: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const body = JSON.stringify(object)
    let delayMs = this.#options.firstDelayMs ?? defaultFirstDelayMs
    for (let attempt = 1; ; attempt++) {
      try {
        return statusOf(await this.#endpoint.post(body), object)
      } catch (error) {
        if (attempt >= attempts || !isRetryable(error)) throw error
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

/** The status of a response, whose kind and version must be those that were sent, or missing. */
function statusOf(answer: string, sent: Fields): Fields {
  let parsed: Fields | null
  try {
    parsed = JSON.parse(answer) as Fields | null
  } catch {
    // The parser's message quotes the response, which may quote the request.
    throw new Error('the response is not JSON')
  }
  if (['kind', 'apiVersion'].some(name => (parsed?.[name] || sent[name]) !== sent[name]))
    throw new Error(`the response is not a ${sent['kind']} of ${sent['apiVersion']}`)
  const status = parsed?.['status']
  if (typeof status !== 'object' || status === null) throw new Error('the response has no status')
  return status as Fields
}

/** No response, an overloaded or a failing server: the next attempt may succeed. */
const isRetryable = (error: unknown): boolean => error instanceof ApiError && (error.code === 429 || error.code >= 500)
