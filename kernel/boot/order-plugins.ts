import { type BootProblem, problem } from '../contracts/boot-errors.js'
import type { DiscoveredPlugin } from './discover-plugins.js'

/**
 * Puts every plugin after those it requires, otherwise in the order of the config. A plugin with a missing requirement
 * or in a cycle is reported and still included, so that the rest of the boot can find more problems.
 *
 * Example: a requires c, b, c in the config order a, b, c gives c, a, b.
 */
export function orderPlugins(plugins: readonly DiscoveredPlugin[]): {
  ordered: DiscoveredPlugin[]
  problems: BootProblem[]
} {
  const byName = new Map(plugins.map(plugin => [plugin.definition.name, plugin]))
  const ordered = new Set<DiscoveredPlugin>()
  const problems: BootProblem[] = []
  const path: string[] = []

  const place = (plugin: DiscoveredPlugin) => {
    const { name, requires = [] } = plugin.definition
    if (ordered.has(plugin)) return
    const start = path.indexOf(name)
    if (start >= 0) {
      problems.push(problem('ORCH_PLUGIN_REQUIREMENT_CYCLE', { plugin: name, chain: [...path.slice(start), name] }))
      return
    }
    path.push(name)
    for (const required of requires) {
      const other = byName.get(required)
      if (other) place(other)
      else problems.push(problem('ORCH_PLUGIN_REQUIREMENT_MISSING', { plugin: name, requires: required }))
    }
    path.pop()
    ordered.add(plugin)
  }
  for (const plugin of plugins) place(plugin)
  return { ordered: [...ordered], problems }
}
