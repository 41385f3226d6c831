import type { PluginDefinition } from 'orch/sdk/host'
import { chainProblems } from '../admission/chain-order.js'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { FeatureGates } from '../options/feature-gates.js'
import { kernelName } from '../options/kernel-options.js'
import { flagNameOf, type OptionDeclaration, propertiesOf } from '../options/option-declarations.js'
import type { BootedPlugins } from './boot-plugins.js'
import { checkDefinitions } from './check-definitions.js'
import { permissionProblems } from './check-permissions.js'
import { checkPlugin } from './check-plugin.js'
import { undeclaredProposals } from './check-proposed.js'
import { checkServices } from './check-services.js'
import { cutterFor } from './cut-catalogue.js'
import type { DiscoveredPlugin } from './discover-plugins.js'
import { liveProblems } from './live-kinds.js'
import { orderPlugins } from './order-plugins.js'
import { prepareIsolated, registerPlugin } from './register-plugin.js'

/** A plugin to add, to remove (without `plugin`), or to replace the one of the same name. */
export interface PluginChange {
  readonly name: string
  readonly plugin?: DiscoveredPlugin | undefined
  /** The plugin before which a new one is inserted. */
  readonly before?: string | undefined
}

/**
 * What the plugins of a server would be after a change. Only the changed plugin is registered; the contributions of all others are
 * the same as before. As in a boot nothing is opened or applied, and problems are collected.
 */
export async function changePlugins(before: BootedPlugins, change: PluginChange): Promise<BootedPlugins> {
  const { name, plugin } = change
  const { vendor, kernelOptions, sources } = before
  const unusable = plugin ? checkPlugin(plugin) : []
  if (unusable.length > 0) return { ...before, problems: unusable }
  const { ordered, problems: orderProblems } = orderPlugins(withChange(before.found, change))
  const definitions = ordered.map(({ definition }) => definition)
  const gates = new FeatureGates(
    definitions.map(definition => definition.gates ?? {}),
    kernelOptions.featureGates ?? {},
    vendor,
  )
  const registry = before.registry.without(name, cutterFor(vendor, gates))
  const context = { registry, vendor, featureGates: gates, sources }
  if (plugin) await prepareIsolated(plugin, context)
  const registered = plugin && registerPlugin(plugin, context)
  registry.seal([kernelName, ...definitions.map(definition => definition.name)], before.registry)
  const declared = declare(before.declarations, name, plugin?.definition)
  const options = new Map(definitions.map(each => [each.name, before.optionsOf(each.name)]))
  if (registered) options.set(name, registered.options)
  const isSound = (registered?.problems.length ?? 0) === 0
  return {
    ...before,
    found: ordered,
    registry,
    featureGates: gates,
    declarations: declared.declarations,
    optionsOf: asked => options.get(asked) ?? {},
    problems: [
      ...inUse(definitions, name, plugin),
      // Plugins that require a removed one are reported already.
      ...(plugin ? orderProblems : []),
      ...declared.problems,
      ...(registered?.problems ?? []),
      ...registry.problems,
      ...liveProblems(before.registry, name),
      ...liveProblems(registry, name),
      ...checkDefinitions(registry, each => each === name),
      ...(isSound ? checkServices(registry) : []),
      ...(plugin ? permissionProblems(plugin, registry) : []),
      ...(plugin ? undeclaredProposals([plugin], registry) : []),
      ...(isSound ? chainProblems(registry.admissions, kernelOptions) : []),
    ],
  }
}

/** A replacement keeps the position of the old plugin; a new plugin is last, unless its position is given. */
function withChange(
  found: readonly DiscoveredPlugin[],
  { name, plugin, before }: PluginChange,
): readonly DiscoveredPlugin[] {
  const isIt = ({ definition }: DiscoveredPlugin) => definition.name === name
  if (!plugin) return found.filter(each => !isIt(each))
  if (found.some(isIt)) return found.map(each => (isIt(each) ? plugin : each))
  const next = found.findIndex(({ definition }) => definition.name === before)
  return next < 0 ? [...found, plugin] : found.toSpliced(next, 0, plugin)
}

function inUse(
  definitions: readonly PluginDefinition[],
  name: string,
  plugin: DiscoveredPlugin | undefined,
): BootProblem[] {
  if (plugin) return []
  const requiredBy = definitions.filter(each => each.requires?.includes(name)).map(each => each.name)
  return requiredBy.length === 0 ? [] : [problem('ORCH_PLUGIN_IN_USE', { plugin: name, requiredBy })]
}

/** The options after the change. Each belongs to one plugin. */
function declare(
  before: readonly OptionDeclaration[],
  name: string,
  definition: PluginDefinition | undefined,
): { declarations: readonly OptionDeclaration[]; problems: BootProblem[] } {
  const others = before.filter(({ plugin }) => plugin !== name)
  const own = Object.entries(definition ? propertiesOf(definition) : {}).map(([key, schema]) => ({
    plugin: name,
    key,
    flag: flagNameOf(key),
    schema,
  }))
  const problems = own.flatMap(({ key }) => {
    const first = others.find(each => each.key === key)?.plugin
    return first === undefined ? [] : [problem('ORCH_OPTION_DUPLICATE', { plugin: name, first, name: key })]
  })
  return { declarations: [...others, ...own], problems }
}
