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

/** Where a webhook is that a client config file describes. */
export interface WebhookEndpointOptions {
  /**
   * A client config file; the server of its current context is the whole address of the webhook. It is read again when it, or a
   * file that it names, changes.
   */
  readonly path: string
  readonly vendor: Vendor
  readonly clock: Clock
  /** Told when the file changes, and when a new version of it cannot be used. */
  readonly logger?: Logger
  readonly metrics?: Metrics
  /** How long an answer may take; half a minute by default. */
  readonly timeoutMs?: number
}

const noLogger: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => noLogger }

const defaultTimeoutMs = 30_000
const maxAnswerBytes = 3 * 1024 * 1024

/** The way to the webhook that a version of the file describes. It is closed when it is replaced and nobody uses it any more. */
interface Way {
  readonly transport: ClosableTransport
  readonly path: string
  users: number
  isReplaced: boolean
}

/** Another server that is sent JSON by POST. */
export class WebhookEndpoint {
  readonly #options: WebhookEndpointOptions
  readonly #files: FollowedFiles<ConfigFile>
  #started: Promise<void> | undefined
  #way: Way | undefined

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

  /** Reads the file; rejects with a ClientConfigError when it cannot be used. Called at start, it stops a wrong one there. */
  connect(): Promise<void> {
    this.#started ??= this.#start()
    return this.#started
  }
  /** The answer. Rejects with an ApiError when it is none of success, or when there is none in time. */
  async post(body: string, signal?: AbortSignal): Promise<string> {
    await this.connect()
    const way = this.#way!
    const timeout = AbortSignal.timeout(this.#options.timeoutMs ?? defaultTimeoutMs)
    way.users++
    try {
      const response = await way.transport({
        method: 'POST',
        path: way.path,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body,
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      })
      const answer = await readText(response.body, maxAnswerBytes)
      if (response.status < 200 || response.status > 299) throw errorFromAnswer(response.status, answer)
      return answer
    } finally {
      way.users--
      if (way.isReplaced && way.users === 0) await way.transport.close()
    }
  }
  async close(): Promise<void> {
    // A file that could not be used opened nothing.
    await this.#started?.catch(() => {})
    await this.#files.stop()
    await this.#way?.transport.close()
  }

  async #start(): Promise<void> {
    // Says better than the file system which file is missing.
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
    const before = this.#way
    // The server of the file is the whole address: its path, if it has one, is not a prefix of another.
    const path = new URL(connection.server).pathname === '/' ? '/' : ''
    this.#way = { transport: httpTransport(connection), path, users: 0, isReplaced: false }
    if (!before) return
    before.isReplaced = true
    if (before.users === 0) await before.transport.close()
  }
}
