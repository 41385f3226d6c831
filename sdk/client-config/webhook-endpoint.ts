import type { ClosableTransport } from '../client/create-client.js'
import { errorFromAnswer } from '../client/error-answers.js'
import { type HttpTransportConfig, httpTransport } from '../client/http-transport.js'
import { readText } from '../client/read-text.js'
import { FollowedFiles } from '../files/followed-files.js'
import type { Clock, Logger, Metrics } from '../plugin/basic-services.js'
import type { Vendor } from '../plugin/vendor.js'
import { connectionFromConfig } from './client-from-config.js'
import { type ConfigFile, currentEntries, filesNamedBy, parseConfigFile } from './config-file.js'
import { checkedCredential } from './file-credential.js'
import { loadClientConfig } from './load-client-config.js'

/** A webhook that a client config file describes. */
export interface WebhookEndpointOptions {
  /**
   * A client config file; the server of its current context is the whole address of the webhook. It is read again when it, or a
   * file that it names, changes.
   */
  readonly path: string
  readonly vendor: Vendor
  readonly clock: Clock
  /** Logs when the file changes, and when a new version of it cannot be used. */
  readonly logger?: Logger
  readonly metrics?: Metrics
  /** The time-out of a request; half a minute by default. */
  readonly timeoutMs?: number
}

const noLogger: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => noLogger }

const defaultTimeoutMs = 30_000
const maxAnswerBytes = 3 * 1024 * 1024

/** The connection that a version of the file describes. It is closed when it was replaced and is no longer in use. */
interface Endpoint {
  readonly transport: ClosableTransport
  readonly path: string
  users: number
  isReplaced: boolean
}

/** A server that gets JSON by POST. */
export class WebhookEndpoint {
  readonly #options: WebhookEndpointOptions
  readonly #files: FollowedFiles<ConfigFile>
  #started: Promise<void> | undefined
  #current: Endpoint | undefined

  constructor(options: WebhookEndpointOptions) {
    this.#options = options
    const { path, clock, logger = noLogger, metrics } = options
    this.#files = new FollowedFiles({
      what: `client config ${path}`,
      paths: [path],
      parse: ([text = '']) => parseConfigFile(text, path),
      namedIn: file => filesNamedBy(Object.values(currentEntries(file))),
      apply: file => this.#open(file),
      clock,
      logger,
      ...(metrics ? { metrics } : {}),
    })
  }

  /** Reads the file; rejects with a ClientConfigError when it cannot be used. Call it at start, so that an invalid file fails the start. */
  connect(): Promise<void> {
    this.#started ??= this.#start()
    return this.#started
  }
  /** The body of the response. Rejects with an ApiError when it is not a success, or does not arrive in time. */
  async post(body: string, signal?: AbortSignal): Promise<string> {
    await this.connect()
    const endpoint = this.#current!
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? defaultTimeoutMs)
    endpoint.users++
    try {
      const response = await endpoint.transport({
        method: 'POST',
        path: endpoint.path,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body,
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      })
      const answer = await readText(response.body, maxAnswerBytes)
      if (response.status < 200 || response.status > 299) throw errorFromAnswer(response.status, answer)
      return answer
    } finally {
      endpoint.users--
      if (endpoint.isReplaced && endpoint.users === 0) await endpoint.transport.close()
    }
  }
  async close(): Promise<void> {
    // A file that could not be used has opened nothing.
    await this.#started?.catch(() => {})
    await this.#files.stop()
    await this.#current?.transport.close()
  }

  async #start(): Promise<void> {
    // Its errors are clearer than those of the file system.
    await this.#connection()
    await this.#files.start()
  }
  async #connection(): Promise<HttpTransportConfig> {
    const source = { ...this.#options, environment: {} }
    return (await connectionFromConfig(await loadClientConfig(source), { ...source, isTerminal: false })).transport
  }
  async #open(file: ConfigFile): Promise<void> {
    const connection = await this.#connection()
    await checkedCredential(currentEntries(file).user, connection.caPem)
    const before = this.#current
    // The server of the file is the whole address: its path, if it has one, is not a prefix.
    const path = new URL(connection.server).pathname === '/' ? '/' : ''
    this.#current = { transport: httpTransport(connection), path, users: 0, isReplaced: false }
    if (!before) return
    before.isReplaced = true
    if (before.users === 0) await before.transport.close()
  }
}
