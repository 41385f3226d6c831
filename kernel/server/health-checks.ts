import { type Clock, type Logger, parseDuration } from 'orch/sdk'
import type { Store } from 'orch/sdk/host'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import type { RootContainer } from '../container/root-container.js'
import { Health } from '../observe/health.js'

export interface HealthParts {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly logger: Logger
  readonly store: Store
  /** Whether the server has started and is not shutting down. */
  isReady(): boolean
}

const everywhere = ['healthz', 'livez', 'readyz'] as const

/** The kernel's own checks and those of the plugins. */
export function createHealth({ booted, clock, logger, store, isReady }: HealthParts, root: RootContainer): Health {
  const health = new Health((check, error) => logger.warn('a health check fails', { check, error }))
  health.add({ name: 'ping', endpoints: everywhere, check: () => {} })
  health.add({ name: 'log', endpoints: everywhere, check: () => {} })
  const { storageCheck = 'storage' } = booted.vendor.profile
  health.add({ name: storageCheck, endpoints: everywhere, check: async () => void (await store.latestRevision()) })
  const graceMs = parseDuration(booted.kernelOptions.livezGracePeriod)
  const graceEndsAt = clock.now() + graceMs
  health.add({
    name: 'start',
    endpoints: ['livez'],
    isPhase: true,
    check: () => {
      // Without a grace period a server that responds is alive; with one it must have started by its end.
      if (graceMs > 0 && !isReady() && clock.now() >= graceEndsAt) throw new Error('not started')
    },
  })
  health.add({
    name: 'shutdown',
    endpoints: ['readyz'],
    isPhase: true,
    check: () => {
      if (!isReady()) throw new Error('not ready')
    },
  })
  for (const { plugin, definition } of booted.registry.healthChecks) {
    const needed = root.scopeOf(plugin).resolve(definition.needs)
    const { name, endpoints = everywhere } = definition
    health.add({ name, endpoints, check: () => definition.check(needed) })
  }
  return health
}
