import { isAbsolute, resolve } from 'node:path'
import type { PluginDefinition, PluginEntry } from 'orch/sdk'
import { type BootProblem, problem, whyOf } from './boot-errors.js'
import { loadModule } from './load-module.js'

/** A plugin of the config, before anything about it has been checked. */
export interface DiscoveredPlugin {
  readonly definition: PluginDefinition
  /** Options given with its entry. */
  readonly given: Readonly<Record<string, unknown>>
  /** How the config refers to it, for messages: `entry 2` or `"./my-plugin.ts"`. */
  readonly source: string
}

/** Turns the entries of a config into plugins, loading those that are named by package or path, in the order of the config. */
export async function discoverPlugins(
  entries: readonly PluginEntry[],
  configDir: string,
): Promise<{ plugins: DiscoveredPlugin[]; problems: BootProblem[] }> {
  const plugins: DiscoveredPlugin[] = []
  const problems: BootProblem[] = []
  for (const [index, entry] of entries.entries()) {
    const source = typeof entry === 'string' ? `"${entry}"` : `entry ${index + 1}`
    if (typeof entry !== 'string') {
      const plugin = asPlugin(entry, source)
      if (plugin) plugins.push(plugin)
      else problems.push(problem('ORCH_PLUGIN_INVALID', { plugin: source, why: `it is ${describe(entry)}` }))
      continue
    }
    try {
      const loaded = await loadModule(isPathLike(entry) ? resolve(configDir, entry) : entry, configDir)
      const found = pluginsIn(loaded, source)
      if (found.length === 1 && found[0]) plugins.push(found[0])
      else problems.push(problem('ORCH_PLUGIN_INVALID', { plugin: entry, why: whyNotOne(found) }))
    } catch (thrown) {
      problems.push(problem('ORCH_PLUGIN_NOT_FOUND', { plugin: entry, why: whyOf(thrown) }, thrown))
    }
  }
  return { plugins, problems }
}

/** Does an entry name a file rather than a package? */
export const isPathLike = (entry: string): boolean =>
  /^\.{0,2}[\\/]/.test(entry) || isAbsolute(entry) || (/\.[mc]?[jt]s$/.test(entry) && !entry.startsWith('@'))

function whyNotOne(found: readonly DiscoveredPlugin[]): string {
  if (found.length === 0) return 'the file exports no plugin'
  const names = found.map(plugin => plugin.definition.name).join(', ')
  return `the file exports several plugins (${names}); export one as default`
}

/** A module's default export if it is a plugin, else every plugin among its exports. */
function pluginsIn(loaded: Record<string, unknown>, source: string): DiscoveredPlugin[] {
  const byDefault = asPlugin(loaded['default'], source)
  if (byDefault) return [byDefault]
  return Object.values(loaded).flatMap(exported => asPlugin(exported, source) ?? [])
}

function asPlugin(value: unknown, source: string): DiscoveredPlugin | undefined {
  if ((typeof value !== 'function' && typeof value !== 'object') || value === null) return undefined
  const { definition, given = {} } = value as { definition?: unknown; given?: Record<string, unknown> }
  if (typeof definition !== 'object' || definition === null) return undefined
  return { definition: definition as PluginDefinition, given, source }
}

const describe = (value: unknown): string =>
  value === undefined || value === null ? String(value) : `a plain ${Array.isArray(value) ? 'list' : typeof value}`
