import { type Clock, type Logger, parseDuration, type ResourceCatalogue, services } from 'orch/sdk'
import { readContents, type Store } from 'orch/sdk/host'
import { pluginHost } from 'orch/sdk/proposed'
import { apiDelegation } from 'orch/sdk/server'
import { Registry as MetricsRegistry } from 'prom-client'
import { namesByPhase } from '../admission/chain-order.js'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { type DataFolder, openDataFolder } from '../boot/data-folder.js'
import { PluginLifecycle } from '../boot/start-plugins.js'
import type { RootContainer } from '../container/root-container.js'
import { withServices } from '../container/with-services.js'
import type { ServingEndpoint, Siblings } from '../contracts/siblings.js'
import { addressOf, HttpServer } from '../http/tls-server.js'
import type { ControlLoops } from '../loops/control-loops.js'
import { PluginLogLines } from '../observe/plugin-log-lines.js'
import { PluginMetrics } from '../observe/plugin-metrics.js'
import type { Pki } from '../pki/ensure-pki.js'
import { type ServerIdentity, serverIdentity } from '../pki/server-identity.js'
import { ServingCertificate } from '../pki/serving-certificate.js'
import { openEngine, throughLayers } from '../storage/open-engine.js'
import { VersionedStore } from '../storage/versioned-store.js'
import { ResourceTypes } from '../types/resource-types.js'
import { RuntimeConfig } from '../types/runtime-config.js'
import { declareVersions, storedForms } from '../types/stored-versions.js'
import { WatchHub } from '../watch/watch-hub.js'
import { type Assembly, assemble } from './assemble.js'
import { TypesWithExtensions } from './extension-types.js'
import { IsolatedPlugins } from './isolated-plugins.js'
import { LivePlugins } from './live-plugins.js'
import { LiveTypes } from './live-types.js'
import { serverLoops } from './server-loops.js'
import 'reflect-metadata'

export interface KernelParts {
  readonly clock: Clock
  readonly logger: Logger
  /** A socket that is already listening; the address of the options is then only used in URLs. */
  readonly listenFd?: number | undefined
  /** Serves requests instead of this process. */
  readonly door?: ServingEndpoint
  /** The other processes of the same server. */
  readonly siblings?: Siblings
  /** The command line of this program, if the server is a program of its own. */
  readonly program?: readonly string[]
}
export interface RunningServer {
  /** Where the server listens, such as `https://127.0.0.1:6443`. */
  readonly baseUrl: string
  readonly identity: ServerIdentity
  /** The engine itself, without layers and versions. */
  readonly store: Store
}

/** The whole server: from a sealed registry to an open port, and back. */
export class Kernel {
  readonly #booted: BootedPlugins
  readonly #parts: KernelParts
  readonly #metricsRegistry = new MetricsRegistry()
  readonly #metrics = new PluginMetrics(this.#metricsRegistry)
  readonly #pluginLog = new PluginLogLines()
  #folder: DataFolder | undefined
  #store: Store | undefined
  #engine: Store | undefined
  /** The engine with its layers, without versions. */
  #layered: Store | undefined
  #hub: WatchHub | undefined
  #assembly: Assembly | undefined
  #startTasks: PluginLifecycle | undefined
  #loops: ControlLoops | undefined
  #plugins: LivePlugins | undefined
  #extensionTypes: TypesWithExtensions | undefined
  #door: ServingEndpoint | undefined
  #certificate: ServingCertificate | undefined
  #baseUrl = ''
  #isStarted = false
  #isStopping = false

  constructor(booted: BootedPlugins, parts: KernelParts) {
    this.#booted = booted
    this.#parts = parts
    this.#door = parts.door
  }

  /** Locks the data folder, opens the store, runs start tasks, listens, then starts the control loops. */
  async start(): Promise<RunningServer> {
    const { kernelOptions: options, vendor, registry } = this.#booted
    const { clock, logger, siblings } = this.#parts
    const engine = registry.storages.find(({ definition }) => definition.name === options.storageEngine)
    this.#folder = await openDataFolder(options.dataDir, vendor.name, {
      isWorker: siblings?.isPrimary === false,
      holdsStore: engine?.definition.keepsFiles ?? true,
    })
    const identity = await serverIdentity(options, vendor.profile, clock.now(), this.#folder.isKnown)
    this.#folder.remember(clock.now())
    const types = new ResourceTypes(registry, new RuntimeConfig(options.runtimeConfig), error =>
      logger.error('a listener of the catalogue failed', { error }),
    )
    const store = await this.#openStore(types)
    const hub = new WatchHub(store, clock, logger, parseDuration(options.watchBookmarkInterval))
    this.#hub = hub
    const assembly = this.#assemble(types, store, hub, identity)
    const { handler, root, connections } = assembly
    await assembly.open()
    const timeoutMs = parseDuration(options.pluginStartTimeout)
    const skipsOnce = siblings?.isPrimary === false
    const starting = { registry, root, logger, controllers: options.controllers, timeoutMs, skipsOnce }
    this.#startTasks = new PluginLifecycle(starting)
    this.#loops = serverLoops(starting, this.#booted, assembly, clock, this.#typesOfLoops(types, assembly))
    const isolated = new IsolatedPlugins({ booted: this.#booted, assembly, logger, metrics: this.#metrics })
    for (const plugin of this.#booted.found) isolated.attach(plugin)
    this.#plugins = new LivePlugins({
      booted: this.#booted,
      assembly,
      isolated,
      types,
      store: this.#layered!,
      hub,
      startTasks: this.#startTasks,
      loops: this.#loops,
      logger,
      log: this.#pluginLog,
    })
    root.provide(pluginHost, this.#plugins)
    await this.#liveTypes(types, store, hub, root).start()
    await this.#startTasks.runStartTasks()
    isolated.rolesGranted()
    this.#door ??= new HttpServer(
      {
        bindAddress: options.bindAddress,
        port: options.securePort,
        tls: options.tls ? identity.serving : undefined,
        connections,
        source: siblings?.connections,
        mayUpgrade: assembly.mayUpgrade,
      },
      exchange => handler.handle(exchange),
    )
    this.#certificate = this.#keepCertificate(identity)
    const { listenFd } = this.#parts
    const place = { host: options.bindAddress, port: options.securePort }
    const port = await this.#door.listen(listenFd === undefined ? place : { fd: listenFd })
    this.#baseUrl = addressOf(options.bindAddress, port, options.tls)
    await this.#loops.start()
    this.#isStarted = true
    this.#plugins.open()
    logger.debug('admission chain', namesByPhase(assembly.chain))
    logger.info('serving', { address: this.#baseUrl, vendor: vendor.name, resources: registry.resources.length })
    return { baseUrl: this.#baseUrl, identity, store: this.#engine! }
  }

  /** Loads, replaces and unloads plugins, once the server has started. */
  get plugins(): LivePlugins {
    if (!this.#plugins) throw new Error('the server has not started')
    return this.#plugins
  }

  /** Notices of plugins for the user, after the start. */
  async startNotices(address: string): Promise<string[]> {
    const root = this.#assembly?.root
    if (!root) return []
    const notices = this.#booted.registry.startNotices.map(withServices(root))
    const lines = await Promise.all(
      notices.map(async ({ definition, services }) => definition.lines(address, services)),
    )
    return lines.flat()
  }

  /** Fails readiness, lets requests in flight complete, ends watches, stops loops and closes the store. A second call is harmless. */
  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#door?.beginClose?.()
    this.#certificate?.close()
    const { shutdownDelayDuration, shutdownGracePeriod, shutdownLingerDuration } = this.#booted.kernelOptions
    const delay = parseDuration(shutdownDelayDuration)
    if (this.#isStarted && delay > 0) await new Promise(resolve => setTimeout(resolve, delay))
    await this.#plugins?.close()
    await this.#loops?.stop()
    this.#extensionTypes?.close()
    await this.#startTasks?.stop()
    this.#hub?.close()
    await this.#door?.close(parseDuration(shutdownGracePeriod), parseDuration(shutdownLingerDuration))
    await this.#assembly?.close()
    await Promise.all(this.#booted.found.map(({ isolated }) => isolated?.close()))
    await this.#store?.close()
    await this.#folder?.release()
  }

  /** Calls the listener when certificates in the data folder were renewed, including the administrator's. */
  onRenewal(listener: (pki: Pki) => void): void {
    if (this.#certificate) this.#certificate.onRenewal = listener
  }

  #keepCertificate(identity: ServerIdentity): ServingCertificate | undefined {
    const { kernelOptions: options, vendor } = this.#booted
    const { clock, logger, siblings } = this.#parts
    if (!options.tls) return undefined
    return new ServingCertificate(
      {
        options,
        dataDir: identity.facts.dataDir,
        vendor: vendor.profile,
        clock,
        logger,
        metrics: this.#metrics,
        mayRenew: siblings?.isPrimary !== false,
        replace: serving => this.#door?.replaceCertificate?.(serving),
      },
      identity.serving,
    )
  }

  /** Treats an unhandled rejection as the failure of a control loop. Throws it if there are no loops. */
  outlive(rejection: unknown): void {
    if (!this.#loops?.restartAfter(rejection)) throw rejection
  }

  /** Loops also handle the types of extension servers, if there are any. */
  #typesOfLoops(types: ResourceTypes, { root }: Assembly): ResourceCatalogue {
    if (!root.has(apiDelegation)) return types
    const { clock, logger } = this.#parts
    this.#extensionTypes = new TypesWithExtensions(
      types,
      root.resolve(apiDelegation),
      root.resolve(services.client),
      clock,
      logger,
    )
    return this.#extensionTypes
  }

  #liveTypes(types: ResourceTypes, store: Store, hub: WatchHub, root: RootContainer): LiveTypes {
    const sources = this.#booted.registry.typeSources.map(source => ({ ...source, ...withServices(root)(source) }))
    return new LiveTypes({ types, store, hub, logger: this.#parts.logger, sources })
  }

  #assemble(types: ResourceTypes, store: Store, hub: WatchHub, identity: ServerIdentity): Assembly {
    this.#assembly = assemble({
      booted: this.#booted,
      ...this.#parts,
      metricsRegistry: this.#metricsRegistry,
      metrics: this.#metrics,
      pluginLog: this.#pluginLog,
      types,
      store,
      engine: this.#engine!,
      hub,
      identity,
      baseUrl: () => this.#baseUrl,
      hasStarted: () => this.#isStarted,
      isReady: () => this.#isStarted && !this.#isStopping,
    })
    return this.#assembly
  }

  /** The store with the metadata of this server's types. Only one process writes that metadata. */
  async #openStore(types: ResourceTypes): Promise<Store> {
    const { kernelOptions: options, registry, vendor } = this.#booted
    const { clock, logger, siblings } = this.#parts
    const engine = await openEngine(
      registry.storages,
      options,
      () => clock.now(),
      message => logger.warn(message),
      {
        info: message => logger.info(message),
        peers: siblings?.peers,
        processes: siblings === undefined ? 1 : siblings.isPrimary ? siblings.servingProcesses + 1 : undefined,
      },
    )
    this.#store = engine
    this.#engine = engine
    const layered = await throughLayers(engine, registry.storeLayers, { clock, logger, metrics: this.#metrics })
    this.#store = layered
    this.#layered = layered
    const stored = types.stored()
    const contents =
      siblings?.isPrimary === false
        ? (await readContents(layered)).contents
        : await declareVersions(layered, stored, vendor.name)
    const known = new Set(stored.map(({ storageKey }) => storageKey))
    for (const collection of Object.keys(contents?.collections ?? {}))
      if (!known.has(collection) && (await layered.count(`${collection}/`)) > 0) types.leaveBehind(collection)
    types.useForms(storedForms(stored, contents))
    this.#store = new VersionedStore(layered, collection => types.formOf(collection))
    return this.#store
  }
}
