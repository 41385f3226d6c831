import type { Clock, Logger, Metrics, UserInfo, Vendor } from 'orch/sdk'
import { ReviewWebhook } from 'orch/sdk/client'
import type { Expressions } from 'orch/sdk/expressions'
import { FollowedFiles } from 'orch/sdk/files'
import {
  type AccessAttributes,
  type AccessDecision,
  type AskedAuthorizer,
  firstOpinion,
  type RulesOfUser,
  rulesOfAll,
} from 'orch/sdk/identity'
import type { AuthorizationMode } from '../options.js'
import { AuthorizationWebhook } from '../webhook/authorization-webhook.js'
import type { AuthorizerConfiguration, WebhookConfiguration } from './authorization-configuration.js'
import { ConfiguredWebhook } from './configured-webhook.js'

export interface ConfiguredAuthorizersParts {
  readonly path: string
  parse(text: string): readonly AuthorizerConfiguration[]
  /** The modes of the file at start, with their services resolved. */
  readonly modes: ReadonlyMap<AuthorizationMode, AskedAuthorizer>
  /** Compiles conditions; present if the file had webhooks at start. */
  readonly language: Expressions | undefined
  readonly vendor: Vendor
  /** API group of reviews. */
  readonly group: string
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

/**
 * The authorizers that --authorization-config names. A changed file takes effect once all its webhooks are connected.
 */
export class ConfiguredAuthorizers {
  readonly #parts: ConfiguredAuthorizersParts
  readonly #files: FollowedFiles<readonly AuthorizerConfiguration[]>
  #authorizers: readonly AskedAuthorizer[] | undefined
  /** By configuration: an unchanged webhook keeps its connections and its cached answers. */
  #webhooks = new Map<string, ConfiguredWebhook>()
  #markStarted = () => {}
  readonly #started = new Promise<void>(resolve => {
    this.#markStarted = resolve
  })

  constructor(parts: ConfiguredAuthorizersParts) {
    this.#parts = parts
    this.#files = new FollowedFiles({
      ...parts,
      what: 'the authorization configuration',
      paths: [parts.path],
      parse: ([text = '']) => parts.parse(text),
      apply: entries => this.#apply(entries),
    })
  }

  /** Rejects when the file cannot be used. */
  async start(): Promise<void> {
    await this.#files.start().catch((error: Error) => {
      throw new Error(`--authorization-config ${this.#parts.path}: ${error.message}`, { cause: error })
    })
    this.#markStarted()
  }
  async stop(): Promise<void> {
    await this.#files.stop()
    await Promise.all([...this.#webhooks.values()].map(webhook => webhook.close()))
  }

  authorize(access: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    return this.#authorizers
      ? firstOpinion(this.#authorizers, access)
      : this.#started.then(() => this.authorize(access))
  }
  async rulesFor(user: UserInfo, namespace: string): Promise<RulesOfUser> {
    await this.#started
    return rulesOfAll(this.#authorizers ?? [], user, namespace)
  }

  async #apply(entries: readonly AuthorizerConfiguration[]): Promise<void> {
    this.#rejectChangedModes(entries)
    const webhooks = new Map<string, ConfiguredWebhook>()
    try {
      for (const entry of entries) if (entry.type === 'Webhook') await this.#add(webhooks, entry.webhook)
    } catch (error) {
      await Promise.all([...webhooks].filter(([key]) => !this.#webhooks.has(key)).map(([, added]) => added.close()))
      throw error
    }
    const before = this.#webhooks
    this.#webhooks = webhooks
    this.#authorizers = entries.map(entry =>
      entry.type === 'Webhook' ? webhooks.get(keyOf(entry.webhook))! : this.#parts.modes.get(entry.type)!,
    )
    for (const [key, webhook] of before) if (!webhooks.has(key)) webhook.retire()
  }

  /** The services of a mode start with the server, and the check for roles of control loops runs only then. */
  #rejectChangedModes(entries: readonly AuthorizerConfiguration[]): void {
    const { modes } = this.#parts
    const named = entries.flatMap(({ type }) => (type === 'Webhook' ? [] : [type]))
    const added = named.find(type => !modes.has(type))
    const removed = [...modes.keys()].find(type => !(named as readonly string[]).includes(type))
    if (added !== undefined) throw new Error(`authorizers: ${added} cannot be added while the server runs; restart it`)
    if (removed !== undefined)
      throw new Error(`authorizers: ${removed} cannot be removed while the server runs; restart it`)
  }

  async #add(webhooks: Map<string, ConfiguredWebhook>, configuration: WebhookConfiguration): Promise<void> {
    const { vendor, group, clock, logger, metrics, language } = this.#parts
    const key = keyOf(configuration)
    const known = this.#webhooks.get(key)
    if (known) return void webhooks.set(key, known)
    const { configFile: path, timeoutMs } = configuration
    const server = new ReviewWebhook({ path, vendor, clock, logger, metrics, timeoutMs })
    const client = new AuthorizationWebhook({ ...configuration, server, group, clock, logger })
    const webhook = new ConfiguredWebhook(configuration, client)
    webhooks.set(key, webhook)
    await webhook.start(language)
  }
}

const keyOf = (configuration: WebhookConfiguration): string => JSON.stringify(configuration)
