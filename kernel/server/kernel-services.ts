import { type Clock, type Logger, type Metrics, services, type Vendor } from 'orch/sdk'
import { type Client, createClient, type Transport } from 'orch/sdk/client'
import type { Store } from 'orch/sdk/host'
import { type SharedWork, sharedWork } from 'orch/sdk/proposed'
import type { RequestLimits } from 'orch/sdk/server'
import { orderChain } from '../admission/chain-order.js'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { providePluginServices } from '../container/provide-plugin-services.js'
import { RootContainer } from '../container/root-container.js'
import { declaredControllers } from '../loops/declared-controllers.js'
import type { PluginLogLines } from '../observe/plugin-log-lines.js'
import type { ServerIdentity } from '../pki/server-identity.js'
import { DirectReader } from '../resources/store-reader.js'
import { once } from '../schema/derive.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { SharedCaches } from '../watch/collection-cache.js'
import type { WatchHub } from '../watch/watch-hub.js'
import { inventoryOf } from './inventory.js'
import type { LiveAccess } from './live-access.js'
import { type ServedStoreParts, servedStoreOf } from './served-store.js'

/** The parts that services are built from. */
export interface ServiceParts {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly store: Store
  /** The engine itself, without layers and versions. */
  readonly engine: Store
  readonly program?: readonly string[] | undefined
  readonly hub: WatchHub
  readonly types: ResourceTypes
  readonly identity: ServerIdentity
  readonly sharedWork: SharedWork
  readonly requestLimits: RequestLimits
  readonly access: LiveAccess
  readonly pluginLog: PluginLogLines
  /** Known once the server listens. */
  baseUrl(): string
  /** The transport into this process. */
  readonly transport: Transport
}

/** The client of a part of the server, over a transport into this process. The part is also the field manager of its writes. */
export const serverClient = (
  transport: Transport,
  clock: Clock,
  vendor: Vendor,
  part: 'apiserver' | 'controller-manager' = 'apiserver',
  follower?: Client,
): Client =>
  createClient({
    transport,
    clock,
    userAgent: `${vendor.profile.objectPrefix}-${part}`,
    ...(follower === undefined ? {} : { follower }),
  })

/** Every service the kernel provides, and those that plugins offer each other. */
export function provideServices(parts: ServiceParts): RootContainer {
  const { booted, clock, store, types, identity } = parts
  const { vendor, registry } = booted
  const root = new RootContainer((plugin, logger) => parts.pluginLog.record(plugin, logger))
  root.provide(services.clock, clock)
  root.provide(services.logger, parts.logger)
  root.provide(services.metrics, parts.metrics)
  root.provide(services.vendor, vendor)
  root.provide(services.resources, types)
  root.provide(services.caches, new SharedCaches(parts))
  root.provide(services.reader, new DirectReader(store, types))
  root.provide(services.client, serverClient(parts.transport, clock, vendor))
  root.provideLazily(services.controllers, () => declaredControllers(registry))
  root.provideLazily(services.consolePages, () =>
    registry.consolePages.map(({ plugin, definition }) => ({ ...definition, plugin })),
  )
  root.provideLazily(services.inventory, () => {
    // Computed on demand: plugins may change often, and few callers need the inventory.
    const inventory = once(() => inventoryOf(booted, orderChain(registry.admissions, booted.kernelOptions)))
    return {
      get plugins() {
        return inventory().plugins
      },
      get admissionChain() {
        return inventory().admissionChain
      },
    }
  })
  root.provide(services.admissionConfiguration, booted.admissionConfiguration)
  root.provide(services.requestLimits, parts.requestLimits)
  root.provide(sharedWork, parts.sharedWork)
  root.provide(services.server, { ...identity.facts, program: parts.program, baseUrl: () => parts.baseUrl() })
  root.provideLazily(services.servedStore, () => servedStoreOf(engineParts(parts)))
  root.provide(services.authorizer, parts.access.authorizer())
  root.provide(services.tokens, parts.access.tokens())
  providePluginServices(root, registry)
  return root
}

function engineParts({ booted, engine, program, identity }: ServiceParts): ServedStoreParts {
  const { storageEngine } = booted.kernelOptions
  const definition = booted.registry.storages.find(one => one.definition.name === storageEngine)?.definition
  return { definition, store: engine, dataDir: identity.facts.dataDir, program }
}
