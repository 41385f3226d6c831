import type { Clock } from '../basic-services.js'
import type { ClosableTransport } from '../client/create-client.js'
import { errorFromAnswer } from '../client/error-answers.js'
import { httpTransport } from '../client/http-transport.js'
import { readText } from '../client/read-text.js'
import type { Vendor } from '../vendor.js'
import { connectionFromConfig } from './client-from-config.js'
import { loadClientConfig } from './load-client-config.js'

/** Where a webhook is that a client config file describes. */
export interface WebhookEndpointOptions {
  /** A client config file; the server of its current context is the whole address of the webhook. */
  readonly path: string
  readonly vendor: Vendor
  readonly clock: Clock
  /** How long an answer may take; half a minute by default. */
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 30_000
const maxAnswerBytes = 3 * 1024 * 1024

/** Another server that is sent JSON by POST. */
export class WebhookEndpoint {
  readonly #options: WebhookEndpointOptions
  #connection: Promise<{ readonly transport: ClosableTransport; readonly path: string }> | undefined

  constructor(options: WebhookEndpointOptions) {
    this.#options = options
  }

  /** Reads the file; rejects with a ClientConfigError when it cannot be used. Called at start, it stops a wrong one there. */
  async connect(): Promise<void> {
    await this.#connect()
  }
  /** The answer. Rejects with an ApiError when it is none of success, or when there is none in time. */
  async post(body: string, signal?: AbortSignal): Promise<string> {
    const { transport, path } = await this.#connect()
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? defaultTimeoutMs)
    const response = await transport({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
    })
    const answer = await readText(response.body, maxAnswerBytes)
    if (response.status < 200 || response.status > 299) throw errorFromAnswer(response.status, answer)
    return answer
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
}
