import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type ConfiguredPlugin,
  type ConformanceSamples,
  definePlugin,
  type PluginDefinition,
  type PluginEntry,
  type ResourceDefinition,
  type Vendor,
} from 'orch/sdk'
import { BootError } from '../boot/boot-errors.js'
import { bootPlugins } from '../boot/boot-plugins.js'
import { discoverPlugins, isPathLike } from '../boot/discover-plugins.js'
import { compiledRoot, loadModule } from '../boot/load-module.js'
import type { Registry } from '../registry/registry.js'

/** A plugin with everything that is needed to run it. */
export interface PluginUnderTest {
  readonly name: string
  readonly entry: ConfiguredPlugin
  /** Those it requires, found among the first-party ones, and those its samples name. */
  readonly others: readonly PluginEntry[]
  readonly samples: ConformanceSamples
  readonly vendor: Vendor
  readonly registry: Registry
  readonly resources: readonly ResourceDefinition[]
}

/** Loads a plugin (an imported one, a package name or a path) and lets it register. Throws a BootError when it cannot. */
export async function pluginUnderTest(
  entry: PluginEntry,
  fromDir: string,
  given: ConformanceSamples = {},
): Promise<PluginUnderTest> {
  const { plugins, problems } = await discoverPlugins([entry], fromDir)
  const [found] = plugins
  if (!found) throw new BootError(problems)
  const { definition } = found
  const samples = { ...(await exportedSamples(entry, fromDir)), ...given }
  const others = [...(samples.plugins ?? []), ...(await requiredPlugins(definition, samples.plugins ?? []))]
  const config = { plugins: [...others, { definition, given: found.given }], ...samples.options }
  const booted = await bootPlugins({ config, configDir: fromDir })
  if (booted.problems.length > 0) throw new BootError(booted.problems)
  const { registry, vendor } = booted
  return {
    name: definition.name,
    entry: { definition, given: found.given },
    others,
    samples,
    vendor,
    registry,
    resources: own(registry.resources, definition.name),
  }
}

/** What this plugin brought. */
export const own = <D>(list: readonly { plugin: string; definition: D }[], plugin: string): D[] =>
  list.filter(each => each.plugin === plugin).map(each => each.definition)

async function exportedSamples(entry: PluginEntry, fromDir: string): Promise<ConformanceSamples> {
  if (typeof entry !== 'string') return {}
  const loaded = await loadModule(isPathLike(entry) ? resolve(fromDir, entry) : entry, fromDir)
  const { conformance } = loaded as { conformance?: ConformanceSamples }
  return typeof conformance === 'object' ? conformance : {}
}

/** Plugins that are required and were not given, when they come with this package. The boot complains about the others. */
async function requiredPlugins(
  { requires = [] }: PluginDefinition,
  given: readonly PluginEntry[],
  found = new Map<string, PluginEntry>(),
): Promise<PluginEntry[]> {
  const known = new Set(given.map(entry => (typeof entry === 'string' ? entry : entry.definition.name)))
  for (const name of requires) {
    const file = join(compiledRoot, 'plugins', name, 'plugin.js')
    if (known.has(name) || found.has(name) || !existsSync(file)) continue
    const { plugins } = await discoverPlugins([file], compiledRoot)
    const [plugin] = plugins
    if (!plugin) continue
    found.set(name, { definition: plugin.definition, given: {} })
    await requiredPlugins(plugin.definition, given, found)
  }
  return [...found.values()]
}

/** The same plugin, with something done to what it registers. */
export function withRegistrar(
  { definition, given }: ConfiguredPlugin,
  wrap: (to: Parameters<PluginDefinition['register']>[0]) => Parameters<PluginDefinition['register']>[0],
): ConfiguredPlugin {
  const wrapped = {
    ...definition,
    register: (to, context) => definition.register(wrap(to), context),
  } as PluginDefinition
  return definePlugin(wrapped)(given)
}
