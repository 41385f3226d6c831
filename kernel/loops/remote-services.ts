import { type Clock, type Logger, type Metrics, type ServerFacts, services } from 'orch/sdk'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { providePluginServices } from '../container/provide-plugin-services.js'
import { RootContainer } from '../container/root-container.js'
import { declaredControllers } from './declared-controllers.js'
import type { DiscoveredTypes } from './discovered-types.js'
import { InformerCaches } from './informer-caches.js'
import type { ServerConnection } from './server-connection.js'

export interface RemoteParts {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly connection: ServerConnection
  readonly types: DiscoveredTypes
  readonly facts: ServerFacts
}

/** The services of control loops outside of a server: all except those that `server-only.ts` names. */
export function remoteServices(parts: RemoteParts): { root: RootContainer; close(): Promise<void> } {
  const { booted, clock, logger, connection } = parts
  const client = connection.clientOver(connection.transport)
  const caches = new InformerCaches({ client, clock, logger, types: parts.types })
  const root = new RootContainer()
  root.provide(services.clock, clock)
  root.provide(services.logger, logger)
  root.provide(services.metrics, parts.metrics)
  root.provide(services.vendor, booted.vendor)
  root.provide(services.resources, parts.types)
  root.provide(services.client, client)
  root.provide(services.caches, caches)
  root.provide(services.controllers, declaredControllers(booted.registry))
  root.provide(services.admissionConfiguration, booted.admissionConfiguration)
  root.provide(services.server, parts.facts)
  providePluginServices(root, booted.registry)
  return { root, close: () => caches.close() }
}
