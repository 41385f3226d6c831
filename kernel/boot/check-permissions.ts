import type { PluginDefinition } from 'orch/sdk/host'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { permissionTexts } from '../contracts/permission-texts.js'
import type { Registry } from '../registry/registry.js'
import type { DiscoveredPlugin } from './discover-plugins.js'

/** What a plugin does beyond its contributions: its declared permissions and the rules of its loops. */
export function permissionsOf({ name, permissions = {} }: PluginDefinition, { controllers }: Registry): string[] {
  const loops = controllers.filter(({ plugin }) => plugin === name)
  return permissionTexts(
    permissions,
    loops.flatMap(({ definition: { rules = [] } }) => rules),
  )
}

/** A plugin that requests more than was accepted is not loaded. */
export function permissionProblems({ definition, accepted }: DiscoveredPlugin, registry: Registry): BootProblem[] {
  if (!accepted) return []
  const missing = permissionsOf(definition, registry).filter(each => !accepted.includes(each))
  return missing.length === 0 ? [] : [problem('ORCH_PLUGIN_PERMISSIONS', { plugin: definition.name, missing })]
}
