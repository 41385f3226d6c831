import { dirname } from 'node:path'
import {
  ApiError,
  type IsolationSettings,
  internalError,
  type Logger,
  type Metrics,
  type PluginPermissions,
  serviceUnavailable,
  type Vendor,
} from 'orch/sdk'
import type { Transport } from 'orch/sdk/client'
import type { PluginDefinition } from 'orch/sdk/host'
import type { PluginHealth } from 'orch/sdk/server'
import { isObject, type JsonObject, sameJson } from '../../libs/json/index.js'
import { permissionTexts } from '../contracts/permission-texts.js'
import { Budget } from './budget.js'
import { type CallLink, LinkClosed } from './call-link.js'
import { readGraph } from './graph.js'
import { IsolatedProcess, type ProcessEvent, type ProcessLimits } from './isolated-process.js'
import { PluginCalls } from './plugin-calls.js'
import { HealthRecord } from './plugin-health.js'
import { type LoadOrder, type RegisterOrder, type Violation, violationKinds } from './plugin-messages.js'
import { environmentFor, type PluginProgram, processArguments } from './process-permissions.js'
import { type Contributions, contributionsFrom } from './remote-contributions.js'
import { UnreadableAnswer } from './unreadable-answer.js'

export interface IsolationRequest {
  /** The module of the plugin. */
  readonly file: string
  /** What is its own: the folder of the module, or the module alone. */
  readonly ownPath: string
  readonly program: PluginProgram
  readonly settings: IsolationSettings
  /** The permissions that were accepted, as texts; all when left out. */
  readonly accepted?: readonly string[] | undefined
}
/** The server that a plugin is part of. */
export interface Surroundings {
  readonly logger: Logger
  readonly metrics: Metrics
  /** The way into this server for a service account of the system namespace. */
  transportFor(account: string): Transport
}

/** The plugin asks for more than was accepted. */
export class PermissionsNotAccepted extends Error {
  readonly plugin: string
  readonly missing: readonly string[]
  constructor(plugin: string, missing: readonly string[]) {
    super(`it asks for permissions that were not accepted: ${missing.join(', ')}`)
    this.plugin = plugin
    this.missing = missing
  }
}

const defaultTimeoutMs = 5_000
const defaultMegabytes = 256
const defaultInflight = 1_000
const startTimeoutMs = 20_000

/**
 * A plugin whose module is loaded in a process of its own. To the server it is a plugin like any other: its definition registers ordinary
 * contributions, whose functions ask that process.
 */
export class IsolatedPlugin {
  readonly #request: IsolationRequest
  readonly #record = new HealthRecord(() => this.#definition.name)
  readonly #calls = new PluginCalls()
  readonly #lines = new Budget(maxLinesPerSecond, 1000)
  #process: IsolatedProcess
  #surroundings: Surroundings | undefined
  #granted: PluginPermissions = {}
  #definition: PluginDefinition = { name: '', register: () => {} }
  #madeWith: string | undefined
  #order: RegisterOrder | undefined
  #described: unknown
  #contributions: Contributions | undefined
  #failure: unknown

  private constructor(request: IsolationRequest) {
    this.#request = request
    this.#process = this.#newProcess()
  }

  /** Starts the process and loads the plugin there. Rejects with the error of its author, or with PermissionsNotAccepted. */
  static async open(request: IsolationRequest): Promise<IsolatedPlugin> {
    const plugin = new IsolatedPlugin(request)
    await plugin.#process.start()
    try {
      await plugin.#grant()
    } catch (thrown) {
      await plugin.close()
      throw thrown
    }
    return plugin
  }

  get definition(): PluginDefinition {
    return this.#definition
  }
  get madeWith(): string | undefined {
    return this.#madeWith
  }
  get health(): PluginHealth {
    return this.#record.health
  }
  onHealth(listener: (health: PluginHealth) => void): () => void {
    return this.#record.onChange(listener)
  }

  /** Registers in the process. What comes of it, an error too, is seen when `register` of the definition is called. */
  async prepare(
    vendor: Vendor,
    options: Readonly<Record<string, unknown>>,
    isEnabled: (gate: string) => boolean,
  ): Promise<void> {
    const gates = Object.keys(this.#definition.gates ?? {}).filter(isEnabled)
    this.#order = { profile: vendor.profile, options, gates }
    this.#contributions = undefined
    this.#failure = undefined
    this.#described = undefined
    try {
      const described = await this.#process.call('register', this.#order, startTimeoutMs)
      this.#contributions = contributionsFrom(described, this.#definition, this.#ask, this.#calls)
      this.#described = described
    } catch (thrown) {
      this.#failure = thrown
    }
  }

  /** The plugin becomes part of a server. */
  attach(surroundings: Surroundings): void {
    if (this.#surroundings) return
    this.#surroundings = surroundings
    this.#calls.transportFor = account => surroundings.transportFor(account)
    this.#record.observeWith(surroundings)
  }

  async close(): Promise<void> {
    this.#calls.close()
    await this.#process.close()
  }

  #newProcess(): IsolatedProcess {
    const { program, ownPath, settings } = this.#request
    const { callTimeoutMs = defaultTimeoutMs, memoryMegabytes = defaultMegabytes } = settings
    const { maxInflightCalls = defaultInflight } = settings
    const limits: ProcessLimits = { callTimeoutMs, maxInflightCalls, memoryMegabytes, startTimeoutMs }
    return new IsolatedProcess({
      limits,
      command: () => ({
        args: processArguments(program, ownPath, this.#granted, memoryMegabytes),
        environment: environmentFor(this.#granted),
      }),
      handlers: {
        ...this.#calls.handlers((topic, content) => this.#process.tell(topic, content)),
        log: content => this.#log(content),
        violation: content => this.#onEvent({ is: 'violation', violation: violationFrom(content) }),
      },
      prepare: link => this.#load(link),
      onEvent: event => this.#onEvent(event),
    })
  }

  /** What it asks for is known only when it is loaded, so it is loaded without any permission first. */
  async #grant(): Promise<void> {
    const { permissions = {}, name } = this.#definition
    const { accepted } = this.#request
    const missing = accepted && permissionTexts(permissions).filter(each => !accepted.includes(each))
    if (missing && missing.length > 0) throw new PermissionsNotAccepted(name, missing)
    const { files, environment = [], childProcesses = false, network = [] } = permissions
    this.#granted = permissions
    const isMore = files !== undefined || environment.length > 0 || childProcesses || network.length > 0
    if (!isMore) return
    await this.#process.close()
    this.#process = this.#newProcess()
    await this.#process.start()
  }

  /** In a new process: loads the plugin, and brings it to where the one before was. */
  async #load(link: CallLink): Promise<void> {
    const { file } = this.#request
    const { network = [], childProcesses = false } = this.#granted
    const order: LoadOrder = { file, folder: dirname(file), network, childProcesses }
    const loaded = await link.call('load', order, startTimeoutMs)
    if (!isObject(loaded)) throw new UnreadableAnswer('no definition')
    const definition = definitionFrom(loaded['definition'])
    if (this.#definition.name !== '' && definition.name !== this.#definition.name)
      throw new Error(`it is called "${definition.name}" now`)
    // What was granted stays: a process that starts again cannot ask for more.
    if (this.#definition.name === '') this.#definition = { ...definition, register: to => this.#register(to) }
    this.#madeWith = typeof loaded['madeWith'] === 'string' ? loaded['madeWith'] : undefined
    if (!this.#order || this.#described === undefined) return
    const again = await link.call('register', this.#order, startTimeoutMs)
    if (!sameJson(again, this.#described)) throw new Error('it registers something else than before')
    await this.#calls.resume(link)
  }

  #register(to: Parameters<PluginDefinition['register']>[0]): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#contributions?.registerAt(to)
  }

  /** A call from a request. What its author threw as an ApiError is the answer; anything else is a failure of the plugin. */
  readonly #ask = async <T>(
    topic: string,
    content: object,
    read: (answer: unknown) => T | Promise<T>,
  ): Promise<T | undefined> => {
    const { name, failurePolicy = 'Fail' } = this.#definition
    try {
      return await read(await this.#process.call(topic, content))
    } catch (thrown) {
      if (thrown instanceof ApiError) throw thrown
      this.#record.callFailed(topic, thrown)
      if (failurePolicy === 'Ignore' && topic === 'review') return undefined
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      if (thrown instanceof LinkClosed) throw serviceUnavailable(`plugin "${name}" does not answer: ${why}`)
      throw internalError(`plugin "${name}" failed`, { cause: thrown })
    }
  }

  #onEvent(event: ProcessEvent): void {
    if (event.is === 'failed') this.#calls.interrupt()
    this.#record.happened(event)
  }

  #log({ level, message, fields }: JsonObject): void {
    const logger = this.#surroundings?.logger
    const budget = this.#lines.take()
    if (budget === 'exceeds')
      logger?.warn('an isolated plugin logs too much; the rest of this second is left out', {
        plugin: this.#definition.name,
      })
    if (budget !== 'within') return
    const text = String(message).slice(0, maxLogLength)
    const given = isObject(fields) && JSON.stringify(fields).length <= maxLogLength ? fields : {}
    const all = { ...given, plugin: this.#definition.name }
    if (level === 'error') logger?.error(text, all)
    else if (level === 'warn') logger?.warn(text, all)
    else if (level === 'info') logger?.info(text, all)
    else logger?.debug(text, all)
  }
}

const maxLinesPerSecond = 500
const maxLogLength = 4_000
const maxWhatLength = 500

const violationFrom = ({ kind, what }: JsonObject): Violation => ({
  kind: violationKinds.find(each => each === kind) ?? 'other',
  what: String(what).slice(0, maxWhatLength),
})

/** What `definePlugin` was given over there. Boot checks it like any other definition. */
function definitionFrom(described: unknown): PluginDefinition {
  const definition = readGraph(described, () => undefined)
  if (!isObject(definition) || typeof definition['name'] !== 'string') throw new UnreadableAnswer('no definition')
  const { name, failurePolicy, ...rest } = definition
  return { ...rest, name, ...(failurePolicy === 'Ignore' ? { failurePolicy } : {}), register: () => {} }
}
