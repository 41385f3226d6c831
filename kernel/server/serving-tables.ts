import { AdmissionChain } from '../admission/admission-chain.js'
import { type Chain, orderChain } from '../admission/chain-order.js'
import type { RootContainer } from '../container/root-container.js'
import { withServices } from '../container/with-services.js'
import type { HealthCheck } from '../observe/health.js'
import type { PluginMetrics } from '../observe/plugin-metrics.js'
import type { KernelOptions } from '../options/kernel-options.js'
import type { Registry } from '../registry/registry.js'
import type { AccessChains, LiveAccess } from './live-access.js'
import { PluginRoutes } from './plugin-routes.js'

/** The tables that requests read of the plugins, except types. They are immutable: a change of plugins creates new ones. */
export interface ServingTables {
  readonly chain: Chain
  readonly admission: AdmissionChain
  readonly routes: PluginRoutes
  readonly access: AccessChains
  readonly healthChecks: readonly HealthCheck[]
}

export interface TableParts {
  readonly root: RootContainer
  readonly metrics: PluginMetrics
  readonly options: KernelOptions
  readonly access: LiveAccess
  checksOf(registry: Registry): readonly HealthCheck[]
}

export function servingTables(registry: Registry, parts: TableParts): ServingTables {
  const { root, metrics, options, access, checksOf } = parts
  const chain = orderChain(registry.admissions, options)
  return {
    chain,
    admission: new AdmissionChain(chain, root, metrics),
    routes: new PluginRoutes(registry.routes.map(withServices(root)), options.maxRequestBodyBytes),
    access: access.chainsOf(registry, root),
    healthChecks: checksOf(registry),
  }
}
