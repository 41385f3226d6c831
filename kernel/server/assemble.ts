import { type Clock, type Logger, parseDuration, services, type UserInfo } from 'orch/sdk'
import type { Transport } from 'orch/sdk/client'
import type { Store } from 'orch/sdk/host'
import { allAuthenticated, mastersGroup } from 'orch/sdk/identity'
import { apiDelegation, type RequestLimits, recorder, requestLimiter, requestTracer } from 'orch/sdk/server'
import type { Registry as MetricsRegistry } from 'prom-client'
import type { Chain } from '../admission/chain-order.js'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import type { RootContainer } from '../container/root-container.js'
import type { Siblings } from '../contracts/siblings.js'
import { AggregatedDiscovery, aggregatedVersions } from '../discovery/aggregated-discovery.js'
import { Discovery } from '../discovery/discovery.js'
import { connectionLimits } from '../http/connection-limits.js'
import { Connections } from '../http/connections.js'
import { inProcessTransport } from '../http/in-process.js'
import { LoopWatch } from '../observe/loop-watch.js'
import { metricsNamed, metricsText } from '../observe/metrics-text.js'
import type { PluginLogLines } from '../observe/plugin-log-lines.js'
import type { PluginMetrics } from '../observe/plugin-metrics.js'
import { RequestMetrics } from '../observe/request-metrics.js'
import { StepLog } from '../observe/step-log.js'
import { openApiDocuments } from '../openapi/openapi-documents.js'
import type { ServerIdentity } from '../pki/server-identity.js'
import type { Registry } from '../registry/registry.js'
import { Representations } from '../representation/representations.js'
import { YamlBodies } from '../representation/yaml-bodies.js'
import { ApiHandler } from '../request/api-handler.js'
import type { Audit } from '../request/audit.js'
import { ConstrainedImpersonation } from '../request/constrained-impersonation.js'
import { createAccessLog, createAudit } from '../request/create-records.js'
import { InflightLimits } from '../request/limit-inflight.js'
import { RequestRecording } from '../request/request-recording.js'
import { StoredDescribedObjects } from '../resources/described-objects.js'
import type { ResourceTypes } from '../types/resource-types.js'
import type { WatchHub } from '../watch/watch-hub.js'
import { DebugPages } from './debug-pages.js'
import { createHealth } from './health-checks.js'
import { provideServices } from './kernel-services.js'
import { LiveAccess } from './live-access.js'
import { LocalWork } from './local-work.js'
import { canSwitchProtocols, type UpgradeRequest } from './may-switch.js'
import { recordChanges } from './record-changes.js'
import { pathServer } from './serve-paths.js'
import { addServerMetrics } from './server-metrics.js'
import { type ServingTables, servingTables } from './serving-tables.js'
import { verbServices } from './verb-services.js'

/** From this value of --v on the log shows the steps of requests. */
const stepsVerbosity = 4

/** The user of the server's calls to itself. */
const serverUser: UserInfo = { name: 'system:apiserver', groups: [mastersGroup, allAuthenticated] }

/** What a running kernel provides to its parts. */
export interface AssemblyParts {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly logger: Logger
  readonly metricsRegistry: MetricsRegistry
  readonly metrics: PluginMetrics
  readonly pluginLog: PluginLogLines
  readonly types: ResourceTypes
  readonly store: Store
  /** The engine itself, without layers and versions. */
  readonly engine: Store
  readonly program?: readonly string[] | undefined
  readonly hub: WatchHub
  readonly identity: ServerIdentity
  /** The other processes of the same server. */
  readonly siblings?: Siblings | undefined
  baseUrl(): string
  hasStarted(): boolean
  isReady(): boolean
}
export interface Assembly {
  readonly handler: ApiHandler
  readonly root: RootContainer
  readonly connections: Connections
  /** The transport into this process, as a user. */
  transportAs(user: UserInfo): Transport
  /** Records that a plugin was denied something that its permissions do not allow. */
  recordViolation: Audit['pluginRefused']
  /** The admission controls that are on, in the order they run. */
  readonly chain: Chain
  /** May this request upgrade its connection? Only requests to extension servers and to some subresources may, and watches. */
  readonly mayUpgrade: (request: UpgradeRequest) => boolean
  /**
   * Builds the tables that requests read of these plugins, and returns a function that installs them in one step; until it is called,
   * nothing has changed. Requests in flight keep the tables they started with. Types are exchanged separately, in the same step.
   */
  prepare(registry: Registry): () => void
  /** Rejects if the options name something that cannot be used. */
  open(): Promise<void>
  close(): Promise<void>
}

/** Builds all parts of the server with their dependencies. Nothing runs yet. */
export function assemble(parts: AssemblyParts): Assembly {
  const { booted, clock, logger, types, store, siblings, metricsRegistry, metrics } = parts
  const servingProcesses = siblings?.servingProcesses ?? 1
  const { kernelOptions: options, vendor, registry } = booted
  const turnedOff = types.turnedOff()
  if (turnedOff.length > 0)
    logger.debug('not served, except for the plugins of this server: --runtime-config turns it on', { turnedOff })
  const gates = booted.featureGates.withoutEffect()
  if (gates.length > 0)
    logger.warn('these feature gates are known and have no effect: no plugin implements them', { gates })
  const requestLimits: RequestLimits = {
    readOnly: shareOf(options.maxRequestsInflight, servingProcesses),
    mutating: shareOf(options.maxMutatingRequestsInflight, servingProcesses),
    timeoutMs: parseDuration(options.requestTimeout),
  }
  const connections = new Connections(connectionLimits(options, servingProcesses), logger)
  addServerMetrics(metricsRegistry, store, () => limiter, connections)
  siblings?.offerMetrics(() => metricsRegistry.getMetricsAsJSON())
  // The in-process client calls the handler, which is built below.
  const transportAs = (user: UserInfo) => inProcessTransport(user, exchange => handler.handle(exchange))
  const transport = transportAs(serverUser)
  const sharedWork = siblings?.sharedWork ?? new LocalWork()
  const access = new LiveAccess(clock, vendor)
  const root = provideServices({
    ...parts,
    requestLimits,
    metrics,
    types,
    transport,
    sharedWork,
    access,
    baseUrl: () => parts.baseUrl(),
  })
  const limiter = root.has(requestLimiter)
    ? root.resolve(requestLimiter)
    : new InflightLimits(requestLimits.readOnly, requestLimits.mutating)
  const yaml = new YamlBodies({
    maxNodes: options.maxYamlNodes,
    maxCharacters: options.maxRequestBodyBytes,
    timeoutMs: parseDuration(options.yamlTimeout),
  })
  const representations = new Representations(vendor, clock, yaml)
  const serverHealth = createHealth(parts, root)
  root.provide(services.describedObjects, new StoredDescribedObjects(() => live.resources))
  const tableParts = { root, metrics, options, access, checksOf: serverHealth.checksOf }
  let tables = servingTables(registry, tableParts)
  serverHealth.health.use(tables.healthChecks)
  access.use(tables.access)
  const {
    admission,
    access: { authorizer },
  } = tables
  const { hub } = parts
  const verbParts = { booted, clock, store, hub, types, metrics, root, representations, yaml, admission, authorizer }
  const live = { resources: verbServices(verbParts) }
  const delegation = root.has(apiDelegation) ? root.resolve(apiDelegation) : undefined
  const recordParts = { options, vendor, types, clock, logger, metrics, sharedWork }
  const audit = createAudit(recordParts)
  const accessLog = createAccessLog(recordParts)
  const recording = root.has(recorder) ? root.resolve(recorder) : undefined
  // Every process sees all changes, so only one of them records them.
  if (recording && siblings?.isPrimary !== false) recordChanges(store, types, recording)
  const discovery = new Discovery(types, vendor.level, delegation)
  const pathParts = {
    discovery,
    aggregated: new AggregatedDiscovery(discovery, vendor, aggregatedVersions(booted.featureGates, vendor), delegation),
    health: serverHealth.health,
    debugPages: new DebugPages({ booted, clock: parts.clock, representations }),
    openApi: openApiDocuments(types, vendor, delegation),
    metrics: async (names: readonly string[]) =>
      siblings ? metricsNamed(await siblings.metrics(), names) : metricsText(metricsRegistry, names),
    representations,
    vendor,
    serverAddress: () => parts.baseUrl().replace(/^https?:\/\//, ''),
  }
  const isConstrained = booted.featureGates.isEnabled('ConstrainedImpersonation')
  const pluginParts = ({ routes, access: chains }: ServingTables) => ({
    servePath: pathServer({ ...pathParts, routes }),
    isPublic: (path: string) => routes.isPublic(path),
    ...chains,
    constrainedImpersonation: isConstrained ? new ConstrainedImpersonation(chains.authorizer, vendor) : undefined,
  })
  const handler = new ApiHandler({
    audit,
    accessLog,
    tracer: root.has(requestTracer)
      ? root.resolve(requestTracer)
      : options.v >= stepsVerbosity
        ? new StepLog(logger)
        : undefined,
    recording: recording && new RequestRecording(recording),
    limiter,
    live,
    representations,
    delegation,
    ...pluginParts(tables),
    authorizesSelectors: booted.featureGates.isEnabled('AuthorizeWithSelectors'),
    metrics: new RequestMetrics(
      metricsRegistry,
      info => types.isServed(info),
      info => types.connectionAt(info) !== undefined,
    ),
    vendor,
    logger,
    requestTimeoutMs: requestLimits.timeoutMs,
    maxObjectItems: options.maxObjectItems,
    loopWatch: new LoopWatch(metricsRegistry, logger, parseDuration(options.eventLoopWarning)),
    // Another process may have served this client before, so cached state of this process may be outdated.
    catchUp: siblings ? () => store.catchUp() : () => {},
  })
  const close = async () => {
    handler.close()
    connections.close()
    await Promise.all([audit.close(), accessLog?.close(), yaml.close()])
  }
  const prepare = (of: Registry) => {
    const next = servingTables(of, tableParts)
    return () => {
      tables = next
      access.use(next.access)
      live.resources = { ...live.resources, admission: next.admission, authorizer: next.access.authorizer }
      serverHealth.health.use(next.healthChecks)
      handler.use(pluginParts(next))
    }
  }
  const mayUpgrade = (request: UpgradeRequest) => canSwitchProtocols(types, delegation, request)
  return {
    handler,
    root,
    connections,
    transportAs,
    recordViolation: (plugin, violation) => audit.pluginRefused(plugin, violation),
    get chain() {
      return tables.chain
    },
    mayUpgrade,
    prepare,
    open: () => audit.open(),
    close,
  }
}

/** The share of a limit for one of several processes; 0 means no limit. */
const shareOf = (limit: number, processes: number): number => Math.ceil(limit / processes)
