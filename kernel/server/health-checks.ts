import { type Clock, type HealthCheckDefinition, type Logger, parseDuration } from 'orch/sdk'
import type { Store } from 'orch/sdk/host'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import type { RootContainer } from '../container/root-container.js'
import { Health, type HealthEndpoint } from '../observe/health.js'

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

/** The kernel's own checks and those of the plugins. */
export function createHealth(
  { booted, clock, logger, store, hasStarted, isReady }: HealthParts,
  root: RootContainer,
): Health {
  const health = new Health((check, error) => logger.warn('a health check fails', { check, error }))
  health.add({ name: 'ping', endpoints: everywhere, check: () => {} })
  health.add({ name: 'log', endpoints: everywhere, check: () => {} })
  const { storageCheck = 'storage' } = booted.vendor.profile
  health.add({ name: storageCheck, endpoints: everywhere, check: async () => void (await store.latestRevision()) })
  const graceMs = parseDuration(booted.kernelOptions.livezGracePeriod)
  const graceEndsAt = clock.now() + graceMs
  const addStartCheck = ({ name, endpoints = everywhere }: Omit<HealthCheckDefinition, 'check'>) => {
    const add = (shown: readonly HealthEndpoint[], isGood: () => boolean) => {
      const check = () => {
        if (!isGood()) throw new Error('not started')
      }
      health.add({ name, endpoints: shown, isPhase: true, check })
    }
    // Without a grace period a server that responds is alive; with one it must have started by its end.
    if (endpoints.includes('livez')) add(['livez'], () => graceMs <= 0 || hasStarted() || clock.now() < graceEndsAt)
    const others = endpoints.filter(endpoint => endpoint !== 'livez')
    if (others.length > 0) add(others, hasStarted)
  }
  const { startChecks = [{ name: 'start', endpoints: ['livez'] }] } = booted.vendor.profile
  for (const check of startChecks) if (booted.vendor.level.includes(check)) addStartCheck(check)
  health.add({
    name: 'shutdown',
    endpoints: ['readyz'],
    isPhase: true,
    check: () => {
      if (!isReady()) throw new Error('not ready')
    },
  })
  for (const { plugin, definition } of booted.registry.healthChecks) {
    const { name, endpoints = everywhere } = definition
    if (!definition.check) {
      addStartCheck({ name, endpoints })
      continue
    }
    const needed = root.scopeOf(plugin).resolve(definition.needs)
    health.add({ name, endpoints, check: () => definition.check?.(needed) })
  }
  return health
}
