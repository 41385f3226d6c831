import 'reflect-metadata'
import {
  allAuthenticated,
  apiAudiences,
  type Clock,
  createClient,
  type Logger,
  mastersGroup,
  parseDuration,
  type Store,
  services,
  type UserInfo,
} from 'orch/sdk'
import { Registry as MetricsRegistry } from 'prom-client'
import { AdmissionChain } from './admission/admission-chain.js'
import { orderChain } from './admission/chain-order.js'
import type { BootedPlugins } from './boot/boot-plugins.js'
import { PluginLifecycle } from './boot/start-plugins.js'
import { providePluginServices } from './container/provide-plugin-services.js'
import { RootContainer } from './container/root-container.js'
import { Discovery } from './discovery/discovery.js'
import { HttpExchange } from './http/http-exchange.js'
import { inProcessTransport } from './http/in-process.js'
import { pathServer } from './http/serve-paths.js'
import { HttpServer } from './http/tls-server.js'
import { createAudit } from './observe/create-audit.js'
import { Health } from './observe/health.js'
import { PluginMetrics } from './observe/plugin-metrics.js'
import { RequestMetrics } from './observe/request-metrics.js'
import { addServerMetrics } from './observe/server-metrics.js'
import { type ServerIdentity, serverIdentity } from './pki/server-identity.js'
import { Representations } from './representation/representations.js'
import { ApiHandler } from './request/api-handler.js'
import { AuthenticatorChain } from './request/authenticate.js'
import { AuthorizerChain } from './request/authorize.js'
import { InflightLimits } from './request/limit-inflight.js'
import { KeyLocks } from './resources/key-locks.js'
import { PendingWrites } from './resources/pending-writes.js'
import type { ResourceServices } from './resources/resource-services.js'
import { ResourceTypes } from './resources/resource-types.js'
import { RuntimeConfig } from './resources/runtime-config.js'
import { DirectReader } from './resources/store-reader.js'
import { openApiDocuments } from './schema/openapi-documents.js'
import { SharedCaches } from './watch/collection-cache.js'
import { InitialStates } from './watch/initial-state.js'
import { WatchHub } from './watch/watch-hub.js'

/** How long requests in flight may take to finish at stop. */
const stopGraceMs = 10_000

export interface KernelParts {
  readonly clock: Clock
  readonly logger: Logger
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
  readonly #health = new Health()
  #lifecycle: PluginLifecycle | undefined
  #server: HttpServer | undefined
  #store: Store | undefined
  #hub: WatchHub | undefined
  #baseUrl = ''
  #isReady = false
  #isStopping = false
  #closers: (() => Promise<void>)[] = []

  constructor(booted: BootedPlugins, parts: KernelParts) {
    this.#booted = booted
    this.#parts = parts
  }

  /** Opens the store, runs start tasks, listens, then starts the control loops. */
  async start(): Promise<RunningServer> {
    const { kernelOptions: options, vendor, registry } = this.#booted
    const { clock, logger } = this.#parts
    const identity = await serverIdentity(options, vendor.profile, clock.now())
    const store = await this.#openStore()
    this.#store = store
    const hub = new WatchHub(store, clock, logger)
    this.#hub = hub
    const metrics = new MetricsRegistry()
    const handler = this.#assemble(store, hub, identity, metrics)
    const server = new HttpServer(
      {
        bindAddress: options.bindAddress,
        port: options.securePort,
        tls: options.tls ? identity.serving : undefined,
        requestTimeoutMs: parseDuration(options.requestTimeout),
      },
      (request, response) => handler.handle(new HttpExchange(request, response)),
    )
    this.#server = server
    await this.#lifecycle!.runStartTasks()
    const port = await server.listen(options.bindAddress, options.securePort)
    const host = options.bindAddress.includes(':') ? `[${options.bindAddress}]` : options.bindAddress
    this.#baseUrl = `${options.tls ? 'https' : 'http'}://${host}:${port}`
    await this.#lifecycle!.startControllers()
    this.#isReady = true
    logger.info('serving', { address: this.#baseUrl, vendor: vendor.name, resources: registry.resources.length })
    return { baseUrl: this.#baseUrl, identity }
  }

  /** Fails readiness, lets requests in flight finish, ends watches, stops loops and closes the store. Twice is harmless. */
  async stop(): Promise<void> {
    if (this.#isStopping) return
    this.#isStopping = true
    const delay = parseDuration(this.#booted.kernelOptions.shutdownDelayDuration)
    if (this.#isReady && delay > 0) await new Promise(resolve => setTimeout(resolve, delay))
    await this.#lifecycle?.stop()
    this.#hub?.close()
    await this.#server?.close(stopGraceMs)
    for (const close of this.#closers.reverse()) await close()
    await this.#store?.close()
  }

  async #openStore(): Promise<Store> {
    const { kernelOptions: options, registry } = this.#booted
    const { clock, logger } = this.#parts
    const engine = registry.storages.find(({ definition }) => definition.name === options.storageEngine)
    if (!engine) throw new Error(`there is no storage engine "${options.storageEngine}"`)
    return engine.definition.open({
      dataDir: options.dataDir,
      historyMs: parseDuration(options.watchHistory),
      now: () => clock.now(),
      warn: message => logger.warn(message),
    })
  }

  /** Builds every part and hands each what it needs. */
  #assemble(store: Store, hub: WatchHub, identity: ServerIdentity, metricsRegistry: MetricsRegistry): ApiHandler {
    const { kernelOptions: options, vendor, registry } = this.#booted
    const { clock, logger } = this.#parts
    const root = new RootContainer()
    const metrics = new PluginMetrics(metricsRegistry)
    const types = new ResourceTypes(registry, new RuntimeConfig(options.runtimeConfig))
    const inflight = new InflightLimits(options.maxRequestsInflight, options.maxMutatingRequestsInflight)
    addServerMetrics(metricsRegistry, store, hub, inflight)
    let handle: ApiHandler['handle'] = () => {}
    const serverUser: UserInfo = { name: 'system:apiserver', groups: [mastersGroup, allAuthenticated] }
    root.provide(services.clock, clock)
    root.provide(services.logger, logger)
    root.provide(services.metrics, metrics)
    root.provide(services.vendor, vendor)
    root.provide(services.resources, types)
    root.provide(services.caches, new SharedCaches(store, hub, types))
    root.provide(services.reader, new DirectReader(store, types))
    root.provide(
      services.client,
      createClient({
        transport: inProcessTransport(serverUser, exchange => handle(exchange)),
        clock,
        userAgent: `${vendor.name}-server`,
      }),
    )
    root.provide(services.admissionConfiguration, this.#booted.admissionConfiguration)
    root.provide(services.server, { ...identity.facts, baseUrl: () => this.#baseUrl })
    const scoped = <D extends { readonly needs?: never }>({
      plugin,
      definition,
    }: {
      plugin: string
      definition: D
    }) => ({
      definition,
      services: root.scopeOf(plugin).resolve(definition.needs) as never,
    })
    root.provideLazily(services.authorizer, () => new AuthorizerChain(registry.authorizers.map(scoped)))
    root.provideLazily(services.tokens, () => {
      const audiences = root.has(apiAudiences) ? root.resolve(apiAudiences) : []
      return new AuthenticatorChain(registry.authenticators.map(scoped), clock, audiences)
    })
    providePluginServices(root, registry)
    this.#lifecycle = new PluginLifecycle({
      registry,
      root,
      logger,
      controllers: options.controllers,
      timeoutMs: parseDuration(options.pluginStartTimeout),
    })
    const authorizer = root.resolve(services.authorizer)
    const representations = new Representations(vendor, clock)
    const chain = orderChain(registry.admissions, options.enableAdmissionPlugins, options.disableAdmissionPlugins)
    const resources: ResourceServices = {
      store,
      hub,
      initialStates: new InitialStates(),
      types,
      vendor,
      admission: new AdmissionChain(chain, root, metrics),
      authorizer,
      clock,
      locks: new KeyLocks(),
      pendingWrites: new PendingWrites(),
      representations,
      limits: {
        bodyBytes: options.maxRequestBodyBytes,
        objectBytes: options.maxRequestBodyBytes,
        futureVersionWaitMs: 3000,
        minWatchTimeoutMs: options.minRequestTimeout * 1000,
        watchBufferBytes: options.watchBufferBytes,
      },
      deprecatedRequests: metrics.gauge('apiserver_requested_deprecated_apis', 'Deprecated APIs that were asked for.', [
        'group',
        'version',
        'resource',
        'subresource',
        'removed_release',
      ]),
      resolve: (plugin, needs) => root.scopeOf(plugin).resolve(needs),
    }
    this.#addHealthChecks(root, store)
    const audit = createAudit(options, vendor, types, clock)
    this.#closers.push(() => audit.close())
    const handler = new ApiHandler({
      authenticators: root.resolve(services.tokens) as AuthenticatorChain,
      authorizer,
      audit,
      inflight,
      resources,
      representations,
      servePath: pathServer({
        discovery: new Discovery(types),
        health: this.#health,
        openApi: openApiDocuments(types, vendor),
        metrics: metricsRegistry,
        routes: registry.routes.map(scoped),
        representations,
        vendor,
        serverAddress: () => this.#baseUrl.replace(/^https?:\/\//, ''),
        bodyLimitBytes: options.maxRequestBodyBytes,
      }),
      metrics: new RequestMetrics(metricsRegistry),
      vendor,
      clock,
      logger,
      requestTimeoutMs: parseDuration(options.requestTimeout),
    })
    this.#closers.push(async () => handler.close())
    handle = exchange => handler.handle(exchange)
    return handler
  }

  #addHealthChecks(root: RootContainer, store: Store): void {
    const everywhere = ['healthz', 'livez', 'readyz'] as const
    this.#health.add({ name: 'ping', endpoints: everywhere, check: () => {} })
    this.#health.add({ name: 'log', endpoints: everywhere, check: () => {} })
    this.#health.add({ name: 'storage', endpoints: everywhere, check: async () => void (await store.latestRevision()) })
    const grace = parseDuration(this.#booted.kernelOptions.livezGracePeriod)
    const startedAt = this.#parts.clock.now()
    const isGraced = () => this.#parts.clock.now() < startedAt + grace
    this.#health.add({
      name: 'start',
      endpoints: ['livez'],
      check: () => {
        if (!this.#isReady && !isGraced() && grace > 0) throw new Error('not started')
      },
    })
    this.#health.add({
      name: 'shutdown',
      endpoints: ['readyz'],
      check: () => {
        if (!this.#isReady || this.#isStopping) throw new Error('not ready')
      },
    })
    for (const { plugin, definition } of this.#booted.registry.healthChecks) {
      const needed = root.scopeOf(plugin).resolve(definition.needs)
      this.#health.add({
        name: definition.name,
        endpoints: definition.endpoints ?? everywhere,
        check: () => definition.check(needed),
      })
    }
  }
}
