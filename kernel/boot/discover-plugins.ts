import { dirname, isAbsolute, resolve, sep } from 'node:path'
import type { IsolationSettings, PluginEntry } from 'orch/sdk'
import type { NamedPlugin } from 'orch/sdk/host'
import { type PluginDefinition, sdkVersionOf } from 'orch/sdk/host'
import { BootError, type BootProblem, errorMessage, problem } from '../contracts/boot-errors.js'
import { IsolatedPlugin, PermissionsNotAccepted } from '../isolation/isolated-plugin.js'
import { fileOf, loadModule, ModuleNotFound, pluginProgram } from './load-module.js'
import { isSingleExecutable } from './single-executable.js'

/** A plugin of the config that has not been checked yet. */
export interface DiscoveredPlugin {
  readonly definition: PluginDefinition
  /** The version of the sdk that it was created with, if known. */
  readonly builtWithSdk?: string | undefined
  /** The options of its entry. */
  readonly given: Readonly<Record<string, unknown>>
  /** How the config refers to it, for messages: `entry 2` or `"./my-plugin.ts"`. */
  readonly source: string
  /** Set if its code runs in a process of its own. */
  readonly isolated?: IsolatedPlugin
  /** The permissions that were accepted; all when left out. */
  readonly accepted?: readonly string[] | undefined
}

/** Turns the entries of a config into plugins, loading those that are named by package or path, in the order of the config. */
export async function discoverPlugins(
  entries: readonly PluginEntry[],
  configDir: string,
): Promise<{ plugins: DiscoveredPlugin[]; problems: BootProblem[] }> {
  const plugins: DiscoveredPlugin[] = []
  const problems: BootProblem[] = []
  for (const [index, entry] of entries.entries()) {
    const named = asNamed(entry)
    const source = named ? `"${named.plugin}"` : `entry ${index + 1}`
    if (!named) {
      const plugin = asPlugin(entry, source)
      if (plugin) plugins.push(plugin)
      else problems.push(problem('ORCH_PLUGIN_INVALID', { plugin: source, why: `it is ${describe(entry)}` }))
      continue
    }
    const { plugin, options } = named
    try {
      const path = isPathLike(plugin) ? resolve(configDir, plugin) : plugin
      const settings = isolationOf(named)
      if (settings.grade === 'worker' && isSingleExecutable()) {
        problems.push(problem('ORCH_PLUGIN_ISOLATION_UNAVAILABLE', { plugin }))
        continue
      }
      if (settings.grade === 'worker') {
        plugins.push(await inOwnProcess(await fileOf(path, configDir), configDir, named, settings, source))
        continue
      }
      // Any other code would run inside the process with all privileges of the server.
      if (settings.grade === 'wasm' && !(await fileOf(path, configDir)).endsWith('.wasm'))
        throw new Error('it is not a WebAssembly module, which the grade wasm requires')
      const loaded = await loadModule(path, configDir)
      const found = pluginsIn(loaded, source)
      if (found.length === 1 && found[0])
        plugins.push({ ...found[0], given: { ...found[0].given, ...options }, accepted: named.permissions })
      else problems.push(problem('ORCH_PLUGIN_INVALID', { plugin, why: whyNotOne(found) }))
    } catch (thrown) {
      if (thrown instanceof PermissionsNotAccepted) {
        problems.push(problem('ORCH_PLUGIN_PERMISSIONS', { plugin: thrown.plugin, missing: thrown.missing }))
        continue
      }
      const code = thrown instanceof ModuleNotFound ? 'ORCH_PLUGIN_NOT_FOUND' : 'ORCH_PLUGIN_LOAD_FAILED'
      problems.push(problem(code, { plugin, why: errorMessage(thrown) }, thrown))
    }
  }
  return { plugins, problems }
}

/** The plugin of one entry, with further options. Throws a BootError if there is none. */
export async function discoverPlugin(
  entry: PluginEntry,
  options: Readonly<Record<string, unknown>>,
): Promise<DiscoveredPlugin> {
  const { plugins, problems } = await discoverPlugins([entry], process.cwd())
  const [plugin] = plugins
  if (!plugin) throw new BootError(problems)
  return { ...plugin, given: { ...plugin.given, ...options } }
}

/**
 * Set on an isolated entry by tests that observe what a plugin registers: changes the definition that the server
 * receives.
 */
export const changeDefinition = Symbol('orch.change-definition')
type ChangeDefinition = (definition: PluginDefinition) => PluginDefinition

/** An entry that names its plugin, with or without options. */
function asNamed(entry: PluginEntry): NamedPlugin | undefined {
  if (typeof entry === 'string') return { plugin: entry, options: {} }
  return typeof entry === 'object' && entry !== null && 'plugin' in entry ? entry : undefined
}

const isolationOf = ({ isolation = 'in-process' }: NamedPlugin): IsolationSettings =>
  typeof isolation === 'string' ? { grade: isolation } : isolation

async function inOwnProcess(
  file: string,
  configDir: string,
  named: NamedPlugin & { readonly [changeDefinition]?: ChangeDefinition },
  settings: IsolationSettings,
  source: string,
): Promise<DiscoveredPlugin> {
  const { options = {}, permissions: accepted, [changeDefinition]: change } = named
  // The folder of the config may contain the data folder: a plugin right beside the config may only read its own file.
  const ownPath = `${configDir}${sep}`.startsWith(`${dirname(file)}${sep}`) ? file : dirname(file)
  const isolated = await IsolatedPlugin.open({ file, ownPath, program: pluginProgram(), settings, accepted })
  return {
    definition: change?.(isolated.definition) ?? isolated.definition,
    builtWithSdk: isolated.builtWithSdk,
    given: options,
    source,
    isolated,
    accepted,
  }
}

/** Whether an entry names a file rather than a package. */
export const isPathLike = (entry: string): boolean =>
  /^\.{0,2}[\\/]/.test(entry) || isAbsolute(entry) || (/\.([mc]?[jt]s|wasm)$/.test(entry) && !entry.startsWith('@'))

function whyNotOne(found: readonly DiscoveredPlugin[]): string {
  if (found.length === 0) return 'the file does not export a plugin'
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
  return { definition: definition as PluginDefinition, builtWithSdk: sdkVersionOf(value), given, source }
}

const describe = (value: unknown): string =>
  value === undefined || value === null ? String(value) : `a plain ${Array.isArray(value) ? 'list' : typeof value}`
