import { type ServiceDefinition, type ServiceToken, services } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import { BootError, errorMessage, problem } from '../contracts/boot-errors.js'
import type { Registry } from '../registry/registry.js'
import type { RootContainer } from './root-container.js'

/** Makes the services that plugins offer visible to all plugins. Each is built on first use, in its own plugin's scope. */
export function providePluginServices(root: RootContainer, registry: Registry): void {
  for (const { plugin, definition } of registry.services) {
    root.provideLazily(definition.token, () => createService(plugin, definition, root))
  }
}

/** Services are built during the boot, so an error in their configuration is a boot problem of their plugin. */
export function createService<T>(plugin: string, definition: ServiceDefinition<T>, root: RootContainer): T {
  const needed = root.scopeOf(plugin).resolve(definition.needs)
  try {
    return definition.create(needed)
  } catch (thrown) {
    if (thrown instanceof BootError) throw thrown
    const task = `service "${serviceNameOf(definition.token)}"`
    throw new BootError([problem('ORCH_START_FAILED', { plugin, task, why: errorMessage(thrown) }, thrown)])
  }
}

const kernelTokens = new Set<ServiceToken<unknown>>(Object.values(services))

/** The factories of these services after a change of plugins; undefined for services that were removed. */
export function renewedRecipes(
  root: RootContainer,
  { services: offers }: Registry,
  tokens: ReadonlySet<ServiceToken<unknown>>,
): Map<ServiceToken<unknown>, (() => unknown) | undefined> {
  const offered = new Map(offers.map(each => [each.definition.token, each]))
  const recipeOf = (token: ServiceToken<unknown>) => {
    const service = offered.get(token)
    if (service) return () => createService(service.plugin, service.definition, root)
    return kernelTokens.has(token) ? root.recipeOf(token) : undefined
  }
  return new Map([...tokens].map(token => [token, recipeOf(token)]))
}
