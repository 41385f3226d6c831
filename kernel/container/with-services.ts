import type { RootContainer } from './root-container.js'

/** A definition with the services that it needs. */
export function withServices(root: RootContainer) {
  return <D extends { readonly needs?: never }>({ plugin, definition }: { plugin: string; definition: D }) => ({
    definition,
    services: root.scopeOf(plugin).resolve(definition.needs) as never,
  })
}
