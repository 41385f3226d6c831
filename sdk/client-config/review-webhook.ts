import { ApiError } from '../api-errors.js'
import type { Clock } from '../basic-services.js'
import type { ClosableTransport } from '../client/create-client.js'
import { errorFromAnswer } from '../client/error-answers.js'
import { httpTransport } from '../client/http-transport.js'
import { readText } from '../client/read-text.js'
import type { Vendor } from '../vendor.js'
import { connectionFromConfig } from './client-from-config.js'
import { loadClientConfig } from './load-client-config.js'

/** Where a webhook is, and how patient to be with it. */
export interface ReviewWebhookOptions {
  /** A client config file; the server of its current context is the whole address of the webhook. */
  readonly path: string
  readonly vendor: Vendor
  readonly clock: Clock
  /** How long to wait before the second attempt; half a second by default. Later ones wait longer. */
  readonly firstDelayMs?: number
}

const timeoutMs = 30_000
const attempts = 5
const defaultFirstDelayMs = 500
const delayFactor = 1.5
const maxAnswerBytes = 3 * 1024 * 1024

/** Another server that answers reviews: it gets an object by POST and answers with its `status` filled in. */
export class ReviewWebhook {
  readonly #options: ReviewWebhookOptions
  #connection: Promise<{ readonly transport: ClosableTransport; readonly path: string }> | undefined

  constructor(options: ReviewWebhookOptions) {
    this.#options = options
  }

  /** Reads the file; rejects with a ClientConfigError when it cannot be used. Called at start, it stops a wrong one there. */
  async connect(): Promise<void> {
    await this.#connect()
  }
  /** The status of the answer. Tries again while the webhook is out of reach, overloaded or broken. */
  async review(object: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const body = JSON.stringify(object)
    let delayMs = this.#options.firstDelayMs ?? defaultFirstDelayMs
    for (let attempt = 1; ; attempt++) {
      try {
        return statusOf(await this.#post(body), object)
      } catch (error) {
        if (attempt >= attempts || !isWorthRepeating(error)) throw error
      }
      const pauseMs = delayMs
      await new Promise<void>(resolve => this.#options.clock.after(pauseMs, resolve))
      delayMs *= delayFactor
    }
  }
  async close(): Promise<void> {
    // A file that could not be used opened nothing.
    const connection = await this.#connection?.catch(() => undefined)
    await connection?.transport.close()
  }

  #connect() {
    this.#connection ??= this.#open()
    return this.#connection
  }
  async #open() {
    const source = { ...this.#options, environment: {} }
    const { transport } = await connectionFromConfig(await loadClientConfig(source), { ...source, isTerminal: false })
    // The server of the file is the whole address: its path, if it has one, is not a prefix of another.
    return { transport: httpTransport(transport), path: new URL(transport.server).pathname === '/' ? '/' : '' }
  }

  async #post(body: string): Promise<string> {
    const { transport, path } = await this.#connect()
    const response = await transport({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer = await readText(response.body, maxAnswerBytes)
    if (response.status < 200 || response.status > 299) throw errorFromAnswer(response.status, answer)
    return answer
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
