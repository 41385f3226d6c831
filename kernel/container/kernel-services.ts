import {
  apiAudiences,
  type Client,
  type Clock,
  createClient,
  type Logger,
  type Metrics,
  type SharedWork,
  type Store,
  services,
  type Transport,
  type Vendor,
} from 'orch/sdk'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import type { ServerIdentity } from '../pki/server-identity.js'
import { AuthenticatorChain } from '../request/authenticate.js'
import { AuthorizerChain } from '../request/authorize.js'
import type { ResourceTypes } from '../resources/resource-types.js'
import { DirectReader } from '../resources/store-reader.js'
import { SharedCaches } from '../watch/collection-cache.js'
import type { WatchHub } from '../watch/watch-hub.js'
import { providePluginServices } from './provide-plugin-services.js'
import { RootContainer } from './root-container.js'

/** What the services are made of. */
export interface ServiceParts {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly store: Store
  readonly hub: WatchHub
  readonly types: ResourceTypes
  readonly identity: ServerIdentity
  readonly sharedWork: SharedWork
  /** Known once the server listens. */
  baseUrl(): string
  /** The way of this process to itself. */
  readonly transport: Transport
}

/** How a part of the server calls it, over a transport into this process. What it writes is managed under this name. */
export const serverClient = (
  transport: Transport,
  clock: Clock,
  vendor: Vendor,
  part: 'apiserver' | 'controller-manager' = 'apiserver',
): Client => createClient({ transport, clock, userAgent: `${vendor.profile.objectPrefix}-${part}` })

/** Every service the kernel provides, and those that plugins offer each other. */
export function provideServices(parts: ServiceParts): RootContainer {
  const { booted, clock, store, hub, types, identity } = parts
  const { vendor, registry } = booted
  const root = new RootContainer()
  root.provide(services.clock, clock)
  root.provide(services.logger, parts.logger)
  root.provide(services.metrics, parts.metrics)
  root.provide(services.vendor, vendor)
  root.provide(services.resources, types)
  root.provide(services.caches, new SharedCaches(store, hub, types))
  root.provide(services.reader, new DirectReader(store, types))
  root.provide(services.client, serverClient(parts.transport, clock, vendor))
  root.provide(services.admissionConfiguration, booted.admissionConfiguration)
  root.provide(services.sharedWork, parts.sharedWork)
  root.provide(services.server, { ...identity.facts, baseUrl: () => parts.baseUrl() })
  root.provideLazily(services.authorizer, () => new AuthorizerChain(registry.authorizers.map(withServices(root))))
  root.provideLazily(services.tokens, () => {
    const audiences = root.has(apiAudiences) ? root.resolve(apiAudiences) : []
    return new AuthenticatorChain(registry.authenticators.map(withServices(root)), clock, audiences)
  })
  providePluginServices(root, registry)
  return root
}

/** A definition together with the services it asked for. */
export function withServices(root: RootContainer) {
  return <D extends { readonly needs?: never }>({ plugin, definition }: { plugin: string; definition: D }) => ({
    definition,
    services: root.scopeOf(plugin).resolve(definition.needs) as never,
  })
}
