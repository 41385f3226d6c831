import { dirname } from 'node:path'
import {
  ApiError,
  type IsolationSettings,
  internalError,
  type Logger,
  type PluginPermissions,
  serviceUnavailable,
  type Vendor,
} from 'orch/sdk'
import type { Transport } from 'orch/sdk/client'
import type { PluginDefinition } from 'orch/sdk/host'
import type { PluginHealth } from 'orch/sdk/proposed'
import { isObject, type JsonObject, sameJson } from '../../libs/json/index.js'
import { permissionTexts } from '../contracts/permission-texts.js'
import { type CallLink, LinkClosed } from './call-link.js'
import { readGraph } from './graph.js'
import { IsolatedProcess, type ProcessEvent, type ProcessLimits } from './isolated-process.js'
import type { IsolationMetrics } from './isolation-metrics.js'
import { OpenReviews } from './open-reviews.js'
import type { Outlet } from './paced-sending.js'
import { PluginCalls } from './plugin-calls.js'
import { HealthRecord } from './plugin-health.js'
import { PluginLog } from './plugin-log.js'
import { type LoadOrder, type RegisterOrder, type Violation, violationKinds } from './plugin-messages.js'
import { environmentFor, type PluginProgram, processArguments } from './process-permissions.js'
import { type Contributions, contributionsFrom } from './remote-contributions.js'
import { ServiceCalls, type SharedServices } from './service-calls.js'
import { UnreadableAnswer } from './unreadable-answer.js'

export interface IsolationRequest {
  /** The plugin's module. */
  readonly file: string
  /** What the plugin may read as its own: the folder of the module, or the module alone. */
  readonly ownPath: string
  readonly program: PluginProgram
  readonly settings: IsolationSettings
  /** The permissions that were accepted, as strings; all of them if omitted. */
  readonly accepted?: readonly string[] | undefined
}
/** What the plugin gets from the server that it becomes part of. */
export interface HostServices {
  readonly logger: Logger
  readonly metrics: IsolationMetrics
  /** Records a denied action in the audit log. */
  audit(plugin: string, violation: Violation): void
  /** The transport into this server for a service account of the system namespace. */
  transportFor(account: string): Transport
  readonly shared: SharedServices
}

/** The plugin requests permissions that were not accepted. */
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
const defaultStartTimeoutMs = 20_000
const defaultRestartDelayMs = 250

/**
 * A plugin whose module is loaded in a separate process. To the server it is a plugin like any other: its definition
 * registers ordinary contributions, whose functions call that process.
 */
export class IsolatedPlugin {
  readonly #request: IsolationRequest
  readonly #record = new HealthRecord(() => this.#definition.name)
  readonly #calls = new PluginCalls()
  readonly #log = new PluginLog()
  readonly #services = new ServiceCalls()
  readonly #reviews = new OpenReviews()
  readonly #notify = (topic: string, content: object) => this.#process.notify(topic, content)
  #process: IsolatedProcess
  #host: HostServices | undefined
  #granted: PluginPermissions = {}
  #definition: PluginDefinition = { name: '', register: () => {} }
  #builtWithSdk: string | undefined
  #order: RegisterOrder | undefined
  #described: unknown
  #contributions: Contributions | undefined
  #failure: unknown

  private constructor(request: IsolationRequest) {
    this.#request = request
    this.#process = this.#newProcess()
  }

  /**
   * Starts the process and loads the plugin there. Rejects with the error of the plugin's code, or with
   * PermissionsNotAccepted.
   */
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

  get #startTimeoutMs(): number {
    return this.#request.settings.startTimeoutMs ?? defaultStartTimeoutMs
  }
  get definition(): PluginDefinition {
    return this.#definition
  }
  get builtWithSdk(): string | undefined {
    return this.#builtWithSdk
  }
  /** Those of `orch/sdk/proposed` that its contributions need. */
  get proposedServices(): readonly string[] {
    return this.#contributions?.proposed ?? []
  }
  get health(): PluginHealth {
    return this.#record.health
  }
  onHealth(listener: (health: PluginHealth) => void): () => void {
    return this.#record.onChange(listener)
  }

  /**
   * Registers in the process. The outcome, including an error, surfaces when `register` of the definition is called.
   */
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
    // The process keeps no program alive, and while a server boots nothing else may do so.
    const alive = setInterval(() => {}, this.#startTimeoutMs)
    try {
      const described = await this.#process.call('register', this.#order, this.#startTimeoutMs)
      const contributions = contributionsFrom(described, this.#definition, this.#ask, this.#calls, this.#reviews)
      this.#services.user = contributions.serviceUser
      this.#contributions = contributions
      this.#described = described
    } catch (thrown) {
      this.#failure = thrown
    } finally {
      clearInterval(alive)
    }
  }

  /** Called when the plugin becomes part of a server. */
  attach(host: HostServices): void {
    if (this.#host) return
    this.#host = host
    this.#calls.transportFor = account => host.transportFor(account)
    this.#record.observeWith(host)
    this.#services.attach(host.shared, this.#notify)
  }

  /** For how long no request has used it. */
  get idleMs(): number {
    return this.#process.idleMs
  }

  async close(): Promise<void> {
    this.#calls.close()
    this.#services.interrupt()
    await this.#process.close()
  }

  #newProcess(): IsolatedProcess {
    const { program, ownPath, settings } = this.#request
    const { callTimeoutMs = defaultTimeoutMs, memoryMegabytes = defaultMegabytes } = settings
    const { maxInflightCalls = defaultInflight } = settings
    const { restartDelayMs = defaultRestartDelayMs } = settings
    const startTimeoutMs = this.#startTimeoutMs
    const limits: ProcessLimits = { callTimeoutMs, maxInflightCalls, memoryMegabytes, startTimeoutMs, restartDelayMs }
    const outlet: Outlet = { notify: this.#notify, room: signal => this.#process.room(signal) }
    return new IsolatedProcess({
      limits,
      command: () => ({
        args: processArguments(program, ownPath, this.#granted, memoryMegabytes),
        environment: environmentFor(this.#granted),
      }),
      handlers: {
        ...this.#calls.handlers(outlet),
        ...this.#services.handlers(outlet, memoryMegabytes),
        ...this.#reviews.handlers,
        log: content => this.#log.write(this.#definition.name, content, this.#host?.logger),
        violation: content => this.#onEvent({ is: 'violation', violation: violationFrom(content) }),
      },
      prepare: link => this.#load(link),
      onEvent: event => this.#onEvent(event),
    })
  }

  /** The requested permissions are known only after loading, so the first load runs without any. */
  async #grant(): Promise<void> {
    const { permissions = {}, name } = this.#definition
    const { accepted } = this.#request
    const missing = accepted && permissionTexts(permissions).filter(each => !accepted.includes(each))
    if (missing && missing.length > 0) throw new PermissionsNotAccepted(name, missing)
    const { files, environment = [], childProcesses = false, network = [] } = permissions
    this.#granted = permissions
    const needsRestart = files !== undefined || environment.length > 0 || childProcesses || network.length > 0
    if (!needsRestart) return
    await this.#process.close()
    this.#process = this.#newProcess()
    await this.#process.start()
  }

  /** In a new process: loads the plugin and restores the state that the previous process had reached. */
  async #load(link: CallLink): Promise<void> {
    const { file } = this.#request
    const { network = [], childProcesses = false } = this.#granted
    const order: LoadOrder = { file, folder: dirname(file), network, childProcesses }
    const loaded = await link.call('load', order, this.#startTimeoutMs)
    if (!isObject(loaded)) throw new UnreadableAnswer('no definition')
    const definition = definitionFrom(loaded['definition'])
    if (this.#definition.name !== '' && definition.name !== this.#definition.name)
      throw new Error(`its name is "${definition.name}" now`)
    // Grants do not grow: a restarted process cannot obtain more permissions.
    if (this.#definition.name === '') this.#definition = { ...definition, register: to => this.#register(to) }
    this.#builtWithSdk = typeof loaded['builtWithSdk'] === 'string' ? loaded['builtWithSdk'] : undefined
    if (!this.#order || this.#described === undefined) return
    const again = await link.call('register', this.#order, this.#startTimeoutMs)
    if (!sameJson(again, this.#described)) throw new Error('it does not register the same contributions as before')
    this.#services.begin((topic, content) => link.notify(topic, content))
    for (const task of this.#contributions?.startedTasks ?? [])
      await link.call('startTask', { task }, this.#startTimeoutMs)
    await this.#calls.resume(link)
  }

  #register(to: Parameters<PluginDefinition['register']>[0]): void {
    if (this.#failure !== undefined) throw this.#failure
    this.#contributions?.registerAt(to)
  }

  /**
   * A call made by a request. An ApiError thrown by the plugin is the response; any other error is a failure of the
   * plugin.
   */
  readonly #ask = async <T>(
    topic: string,
    content: object,
    read: (answer: unknown) => T | Promise<T>,
  ): Promise<T | undefined> => {
    const { name, failurePolicy = 'Fail' } = this.#definition
    const began = performance.now()
    const called = (error?: unknown) => this.#record.called(topic, (performance.now() - began) / 1000, error)
    try {
      const answer = await read(await this.#process.call(topic, content))
      called()
      return answer
    } catch (thrown) {
      called(thrown instanceof ApiError ? undefined : thrown)
      if (thrown instanceof ApiError) throw thrown
      if (failurePolicy === 'Ignore' && topic === 'review') return undefined
      const why = thrown instanceof Error ? thrown.message : String(thrown)
      if (thrown instanceof LinkClosed) throw serviceUnavailable(`plugin "${name}" does not answer: ${why}`)
      throw internalError(`plugin "${name}" failed`, { cause: thrown })
    }
  }

  #onEvent(event: ProcessEvent): void {
    if (event.is === 'failed') {
      this.#calls.interrupt()
      this.#services.interrupt()
    }
    this.#record.happened(event)
  }
}

const maxWhatLength = 500

const violationFrom = ({ kind, what }: JsonObject): Violation => ({
  kind: violationKinds.find(each => each === kind) ?? 'other',
  what: String(what).slice(0, maxWhatLength),
})

/** The arguments of `definePlugin` in the other process. Boot validates them like any other definition. */
function definitionFrom(described: unknown): PluginDefinition {
  const definition = readGraph(described, () => undefined)
  if (!isObject(definition) || typeof definition['name'] !== 'string') throw new UnreadableAnswer('no definition')
  const { name, failurePolicy, ...rest } = definition
  return { ...rest, name, ...(failurePolicy === 'Ignore' ? { failurePolicy } : {}), register: () => {} }
}
