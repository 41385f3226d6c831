import { type Clock, type HealthCheckDefinition, type Logger, parseDuration } from 'orch/sdk'
import type { Store } from 'orch/sdk/host'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import type { RootContainer } from '../container/root-container.js'
import { Health, type HealthCheck, type HealthEndpoint } from '../observe/health.js'
import type { Registry } from '../registry/registry.js'

export interface HealthParts {
  readonly booted: BootedPlugins
  readonly clock: Clock
  readonly logger: Logger
  readonly store: Store
  hasStarted(): boolean
  /** Whether the server has started and is not shutting down. */
  isReady(): boolean
}

const everywhere = ['healthz', 'livez', 'readyz'] as const

/** The health of the server: its own checks, and those of the plugins that are loaded. */
export interface ServerHealth {
  readonly health: Health
  /** The checks of the plugins of a registry, with the services that they need. */
  checksOf(registry: Registry): HealthCheck[]
}

export function createHealth(
  { booted, clock, logger, store, hasStarted, isReady }: HealthParts,
  root: RootContainer,
): ServerHealth {
  const health = new Health((check, error) => logger.warn('a health check fails', { check, error }))
  health.add({ name: 'ping', endpoints: everywhere, check: () => {} })
  health.add({ name: 'log', endpoints: everywhere, check: () => {} })
  const { storageCheck = 'storage' } = booted.vendor.profile
  health.add({ name: storageCheck, endpoints: everywhere, check: async () => void (await store.latestRevision()) })
  const graceMs = parseDuration(booted.kernelOptions.livezGracePeriod)
  const graceEndsAt = clock.now() + graceMs
  const startChecksOf = ({ name, endpoints = everywhere }: Omit<HealthCheckDefinition, 'check'>): HealthCheck[] => {
    const checkAt = (shown: readonly HealthEndpoint[], isGood: () => boolean): HealthCheck => {
      const check = () => {
        if (!isGood()) throw new Error('not started')
      }
      return { name, endpoints: shown, isPhase: true, check }
    }
    // Without a grace period a server that responds is alive; with one it must have started by its end.
    const isAlive = () => graceMs <= 0 || hasStarted() || clock.now() < graceEndsAt
    const others = endpoints.filter(endpoint => endpoint !== 'livez')
    return [
      ...(endpoints.includes('livez') ? [checkAt(['livez'], isAlive)] : []),
      ...(others.length > 0 ? [checkAt(others, hasStarted)] : []),
    ]
  }
  const { startChecks = [{ name: 'start', endpoints: ['livez'] }] } = booted.vendor.profile
  for (const start of startChecks)
    if (booted.vendor.level.includes(start)) for (const check of startChecksOf(start)) health.add(check)
  health.add({
    name: 'shutdown',
    endpoints: ['readyz'],
    isPhase: true,
    check: () => {
      if (!isReady()) throw new Error('not ready')
    },
  })
  const checksOf = (registry: Registry) =>
    registry.healthChecks.flatMap(({ plugin, definition }): HealthCheck[] => {
      const { name, endpoints = everywhere } = definition
      if (!definition.check) return startChecksOf({ name, endpoints })
      const needed = root.scopeOf(plugin).resolve(definition.needs)
      return [{ name, endpoints, check: () => definition.check?.(needed) }]
    })
  return { health, checksOf }
}
