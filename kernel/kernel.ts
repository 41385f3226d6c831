import 'reflect-metadata'
import { type Clock, type Logger, parseDuration, type Store } from 'orch/sdk'
import { namesByPhase } from './admission/chain-order.js'
import { type Assembly, assemble } from './assemble.js'
import type { BootedPlugins } from './boot/boot-plugins.js'
import { PluginLifecycle } from './boot/start-plugins.js'
import { HttpExchange } from './http/http-exchange.js'
import { addressOf, HttpServer } from './http/tls-server.js'
import type { ControlLoops } from './loops/control-loops.js'
import { serverLoops } from './loops/server-loops.js'
import { type ServerIdentity, serverIdentity } from './pki/server-identity.js'
import { openEngine } from './storage/open-engine.js'
import { WatchHub } from './watch/watch-hub.js'
import type { FrontDoor, Siblings } from './workers/siblings.js'

/** How long requests in flight may take to finish at stop. */
const stopGraceMs = 10_000

export interface KernelParts {
  readonly clock: Clock
  readonly logger: Logger
  /** Serves requests instead of this process. */
  readonly door?: FrontDoor
  /** The other processes of the same server. */
  readonly siblings?: Siblings
}
export interface RunningServer {
  /** Where the server listens, such as `https://127.0.0.1:6443`. */
  readonly baseUrl: string
  readonly identity: ServerIdentity
}

/** The whole server: from a sealed registry to an open port, and back. */
export class Kernel {
  readonly #booted: BootedPlugins
  readonly #parts: KernelParts
  #store: Store | undefined
  #hub: WatchHub | undefined
  #assembly: Assembly | undefined
  #startTasks: PluginLifecycle | undefined
  #loops: ControlLoops | undefined
  #door: FrontDoor | undefined
  #baseUrl = ''
  #isStarted = false
  #isStopping = false

  constructor(booted: BootedPlugins, parts: KernelParts) {
    this.#booted = booted
    this.#parts = parts
    this.#door = parts.door
  }

  /** Opens the store, runs start tasks, listens, then starts the control loops. */
  async start(): Promise<RunningServer> {
    const { kernelOptions: options, vendor, registry } = this.#booted
    const { clock, logger, siblings } = this.#parts
    const identity = await serverIdentity(options, vendor.profile, clock.now())
    const store = await this.#openStore()
    this.#store = store
    const hub = new WatchHub(store, clock, logger)
    this.#hub = hub
    const assembly = this.#assemble(store, hub, identity)
    const { handler, root } = assembly
    const timeoutMs = parseDuration(options.pluginStartTimeout)
    const skipsOnce = siblings?.isPrimary === false
    const starting = { registry, root, logger, controllers: options.controllers, timeoutMs, skipsOnce }
    this.#startTasks = new PluginLifecycle(starting)
    this.#loops = serverLoops(starting, this.#booted, assembly, clock)
    await this.#startTasks.runStartTasks()
    this.#door ??= new HttpServer(
      {
        bindAddress: options.bindAddress,
        port: options.securePort,
        tls: options.tls ? identity.serving : undefined,
        requestTimeoutMs: parseDuration(options.requestTimeout),
        connections: siblings?.connections,
      },
      (request, response) => handler.handle(new HttpExchange(request, response)),
    )
    const port = await this.#door.listen(options.bindAddress, options.securePort)
    this.#baseUrl = addressOf(options.bindAddress, port, options.tls)
    await this.#loops.start()
    this.#isStarted = true
    logger.info('admission chain', namesByPhase(assembly.chain))
    logger.info('serving', { address: this.#baseUrl, vendor: vendor.name, resources: registry.resources.length })
    return { baseUrl: this.#baseUrl, identity }
  }

  /** Fails readiness, lets requests in flight finish, ends watches, stops loops and closes the store. Twice is harmless. */
  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#door?.beginClose?.()
    const delay = parseDuration(this.#booted.kernelOptions.shutdownDelayDuration)
    if (this.#isStarted && delay > 0) await new Promise(resolve => setTimeout(resolve, delay))
    await this.#loops?.stop()
    await this.#startTasks?.stop()
    this.#hub?.close()
    await this.#door?.close(stopGraceMs)
    await this.#assembly?.close()
    await this.#store?.close()
  }

  #assemble(store: Store, hub: WatchHub, identity: ServerIdentity): Assembly {
    this.#assembly = assemble({
      booted: this.#booted,
      ...this.#parts,
      store,
      hub,
      identity,
      baseUrl: () => this.#baseUrl,
      isReady: () => this.#isStarted && !this.#isStopping,
    })
    return this.#assembly
  }

  async #openStore(): Promise<Store> {
    const { kernelOptions: options, registry } = this.#booted
    const { clock, logger, siblings } = this.#parts
    return openEngine(
      registry.storages,
      options,
      () => clock.now(),
      message => logger.warn(message),
      siblings?.peers,
    )
  }
}
