import type { Registry } from '../registry/registry.js'
import type { RootContainer } from './root-container.js'

/** Makes the services that plugins offer visible to all plugins. Each is built on first use, in its own plugin's scope. */
export function providePluginServices(root: RootContainer, registry: Registry): void {
  for (const { plugin, definition } of registry.services) {
    root.provideLazily(definition.token, () => definition.create(root.scopeOf(plugin).resolve(definition.needs)))
  }
}
