import { type ControllerDefinition, type DeclaredController, services } from 'orch/sdk'
import type { Registry } from '../registry/registry.js'

/** The service account of the system namespace that a loop acts as. */
export const accountOf = ({ account, name }: ControllerDefinition): string => account ?? name

/** The permissions that the loops of all plugins declare. */
export const declaredControllers = (registry: Registry): readonly DeclaredController[] =>
  registry.controllers.map(({ plugin, definition }) => ({
    plugin,
    name: definition.name,
    account: accountOf(definition),
    rules: definition.rules ?? [],
    usesClient: Object.values(definition.needs ?? {}).includes(services.client),
  }))
