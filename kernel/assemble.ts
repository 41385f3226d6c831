import {
  allAuthenticated,
  type Clock,
  type Logger,
  mastersGroup,
  parseDuration,
  type Store,
  services,
  type Transport,
  type UserInfo,
} from 'orch/sdk'
import { Registry as MetricsRegistry } from 'prom-client'
import { AdmissionChain } from './admission/admission-chain.js'
import { type Chain, orderChain } from './admission/chain-order.js'
import type { BootedPlugins } from './boot/boot-plugins.js'
import { provideServices, withServices } from './container/kernel-services.js'
import type { RootContainer } from './container/root-container.js'
import { Discovery } from './discovery/discovery.js'
import { inProcessTransport } from './http/in-process.js'
import { pathServer } from './http/serve-paths.js'
import { createAudit } from './observe/create-audit.js'
import { createHealth } from './observe/health-checks.js'
import { PluginMetrics } from './observe/plugin-metrics.js'
import { RequestMetrics } from './observe/request-metrics.js'
import { addServerMetrics } from './observe/server-metrics.js'
import type { ServerIdentity } from './pki/server-identity.js'
import { Representations } from './representation/representations.js'
import { ApiHandler } from './request/api-handler.js'
import type { AuthenticatorChain } from './request/authenticate.js'
import { InflightLimits } from './request/limit-inflight.js'
import { KeyLocks } from './resources/key-locks.js'
import { PendingWrites } from './resources/pending-writes.js'
import type { ResourceServices } from './resources/resource-services.js'
import { ResourceTypes } from './resources/resource-types.js'
import { RuntimeConfig } from './resources/runtime-config.js'
import { openApiDocuments } from './schema/openapi-documents.js'
import { InitialStates } from './watch/initial-state.js'
import type { WatchHub } from './watch/watch-hub.js'
import { LocalWork } from './workers/local-work.js'
import type { Siblings } from './workers/siblings.js'

/** How long a read waits for a version from the future before it answers 504. */
const futureVersionWaitMs = 3000

/** Who the server is when it calls itself. */
const serverUser: UserInfo = { name: 'system:apiserver', groups: [mastersGroup, allAuthenticated] }

/** What a running kernel lends to its parts. */
export interface AssemblyParts {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly logger: Logger
  readonly store: Store
  readonly hub: WatchHub
  readonly identity: ServerIdentity
  /** The other processes of the same server. */
  readonly siblings?: Siblings | undefined
  baseUrl(): string
  isReady(): boolean
}
export interface Assembly {
  readonly handler: ApiHandler
  readonly root: RootContainer
  /** The way of this process to itself. */
  readonly transport: Transport
  /** The admission controls that are on, in the order they run. */
  readonly chain: Chain
  close(): Promise<void>
}

/** Builds every part of the server and hands each what it needs. Nothing runs yet. */
export function assemble(parts: AssemblyParts): Assembly {
  const { booted, clock, logger, store, siblings } = parts
  const servingProcesses = siblings?.servingProcesses ?? 1
  const { kernelOptions: options, vendor, registry } = booted
  const metricsRegistry = new MetricsRegistry()
  const metrics = new PluginMetrics(metricsRegistry)
  const types = new ResourceTypes(registry, new RuntimeConfig(options.runtimeConfig))
  const inflight = new InflightLimits(
    shareOf(options.maxRequestsInflight, servingProcesses),
    shareOf(options.maxMutatingRequestsInflight, servingProcesses),
  )
  addServerMetrics(metricsRegistry, store, inflight)
  siblings?.offerMetrics(() => metricsRegistry.getMetricsAsJSON())
  // The client inside this process calls what is only built below.
  const transport = inProcessTransport(serverUser, exchange => handler.handle(exchange))
  const sharedWork = siblings?.sharedWork ?? new LocalWork()
  const root = provideServices({ ...parts, metrics, types, transport, sharedWork, baseUrl: () => parts.baseUrl() })
  const representations = new Representations(vendor, clock)
  const chain = orderChain(registry.admissions, options.enableAdmissionPlugins, options.disableAdmissionPlugins)
  const admission = new AdmissionChain(chain, root, metrics)
  const resources = resourceServices(parts, root, types, metrics, representations, admission)
  const audit = createAudit({ options, vendor, types, clock, logger })
  const handler = new ApiHandler({
    authenticators: root.resolve(services.tokens) as AuthenticatorChain,
    authorizer: resources.authorizer,
    audit,
    inflight,
    resources,
    representations,
    servePath: pathServer({
      discovery: new Discovery(types),
      health: createHealth(parts, root),
      openApi: openApiDocuments(types, vendor),
      metrics: siblings ? () => siblings.metrics() : () => metricsRegistry.metrics(),
      routes: registry.routes.map(withServices(root)),
      representations,
      vendor,
      serverAddress: () => parts.baseUrl().replace(/^https?:\/\//, ''),
      bodyLimitBytes: options.maxRequestBodyBytes,
    }),
    metrics: new RequestMetrics(metricsRegistry, info => types.isServed(info)),
    vendor,
    clock,
    logger,
    requestTimeoutMs: parseDuration(options.requestTimeout),
    // Another process may have answered a client that now comes here: nothing is judged by what we knew before.
    catchUp: siblings && store.catchUp ? () => store.catchUp?.() : () => {},
  })
  const close = async () => {
    handler.close()
    await audit.close()
  }
  return { handler, root, transport, chain, close }
}

/** The part of a limit that one of several processes gets; 0 means no limit. */
const shareOf = (limit: number, processes: number): number => Math.ceil(limit / processes)

/** What the verbs work with. */
function resourceServices(
  { booted, clock, store, hub }: AssemblyParts,
  root: RootContainer,
  types: ResourceTypes,
  metrics: PluginMetrics,
  representations: Representations,
  admission: AdmissionChain,
): ResourceServices {
  const { kernelOptions: options, vendor } = booted
  return {
    store,
    hub,
    initialStates: new InitialStates(),
    types,
    vendor,
    admission,
    authorizer: root.resolve(services.authorizer),
    clock,
    locks: new KeyLocks(),
    pendingWrites: new PendingWrites(),
    representations,
    limits: {
      bodyBytes: options.maxRequestBodyBytes,
      objectBytes: options.maxRequestBodyBytes,
      futureVersionWaitMs,
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
}
