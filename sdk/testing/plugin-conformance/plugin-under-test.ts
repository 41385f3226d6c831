import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  BootError,
  bootPlugins,
  changeDefinition,
  chooseVendor,
  compiledRoot,
  discoverPlugins,
  isPathLike,
  loadModule,
  type Registry,
} from '../../../kernel/index.js'
import type { NamedPlugin, PluginDefinition } from '../../host/index.js'
import {
  type ConformanceSamples,
  definePlugin,
  type PluginEntry,
  type ResourceDefinition,
  type Vendor,
} from '../../index.js'
import type { PluginSamples } from '../../plugin/conformance-samples.js'
import type { ConfiguredPlugin } from '../../plugin/plugin.js'
import type { ConformanceRun } from './conformance-run.js'

/** A plugin in the server, or one that each server loads in a process of its own. */
export type EntryUnderTest = ConfiguredPlugin | (NamedPlugin & { readonly [changeDefinition]?: Change })
type Change = (definition: PluginDefinition) => PluginDefinition

/** A plugin with everything needed to run it. */
export interface PluginUnderTest {
  readonly name: string
  readonly entry: EntryUnderTest
  /** Those it requires, found among the first-party ones, those its samples name, and those of the storage engine. */
  readonly others: readonly ConfiguredPlugin[]
  readonly samples: ConformanceSamples
  readonly vendor: Vendor
  readonly registry: Registry
  readonly resources: readonly ResourceDefinition[]
  /** Config keys of a server that starts with an empty store. */
  newOptions(): Readonly<Record<string, unknown>>
  /** The same for a server with only the other plugins. */
  newOptionsOfOthers(): Readonly<Record<string, unknown>>
  /** Ends the process of an isolated plugin. */
  close(): Promise<void>
}

/**
 * Loads a plugin (an imported one, a package name or a path) and lets it register. Its samples may write files to the folder.
 * Throws a BootError when it cannot.
 */
export async function pluginUnderTest(run: ConformanceRun, folder: string): Promise<PluginUnderTest> {
  const { plugin: entry, fromDir = process.cwd(), given = {}, engine } = run
  const isolated = isolatedEntry(run, fromDir)
  const { plugins, problems } = await discoverPlugins([isolated ?? entry], fromDir)
  const { vendor, problems: vendorProblems } = chooseVendor(run.vendor)
  const [found] = plugins
  if (!found || vendorProblems.length > 0) throw new BootError([...problems, ...vendorProblems])
  const { definition } = found
  await found.isolated?.close()
  const samples = { ...(await exportedSamples(entry, fromDir, vendor, folder)), ...given }
  const others = await companionsOf(definition, [...(samples.plugins ?? []), ...(engine?.plugins ?? [])], fromDir)
  // A module is called by the server itself, so what it registers can be watched like that of any plugin in the process.
  const self = found.isolated && isolated ? isolated : { definition, given: found.given }
  // Every store of a run has one server, so there is no leader election. Features that are off by default are tested as
  // well.
  const defaults = { leaderElect: false, runtimeConfig: { 'api/all': 'true' } }
  const newOptions = () => ({ ...defaults, ...samples.options, ...engine?.options() })
  const { plugins: engines } = await discoverPlugins(engine?.plugins ?? [], fromDir)
  const isEngine = engines.some(each => each.definition.name === definition.name)
  const newOptionsOfOthers = () => (isEngine ? {} : { ...engine?.options() })
  const config = { plugins: [...others, self], vendor: vendor.profile, ...newOptions() }
  const booted = await bootPlugins({ config, configDir: fromDir })
  if (booted.problems.length > 0) throw new BootError(booted.problems)
  const { registry } = booted
  const resources = own(registry.resources, definition.name)
  const { name } = definition
  const close = () => closeIsolated(booted)
  return { name, entry: self, others, samples, vendor, registry, resources, newOptions, newOptionsOfOthers, close }
}

function isolatedEntry({ plugin, isolation = 'in-process' }: ConformanceRun, fromDir: string): NamedPlugin | undefined {
  if (isolation === 'in-process') return undefined
  if (typeof plugin !== 'string') throw new Error('an isolated plugin must be given by its path or package name')
  return { plugin: isPathLike(plugin) ? resolve(fromDir, plugin) : plugin, isolation }
}

/** Ends the processes of plugins that were only to register. */
export async function closeIsolated({ found }: Pick<Awaited<ReturnType<typeof bootPlugins>>, 'found'>): Promise<void> {
  await Promise.all(found.map(({ isolated }) => isolated?.close()))
}

/** What this plugin contributed. */
export const own = <D>(list: readonly { plugin: string; definition: D }[], plugin: string): D[] =>
  list.filter(each => each.plugin === plugin).map(each => each.definition)

async function exportedSamples(
  entry: PluginEntry,
  fromDir: string,
  vendor: Vendor,
  folder: string,
): Promise<ConformanceSamples> {
  if (typeof entry !== 'string') return {}
  const loaded = await loadModule(isPathLike(entry) ? resolve(fromDir, entry) : entry, fromDir)
  const { conformance } = loaded as { conformance?: PluginSamples }
  if (typeof conformance === 'function') return conformance(vendor, folder)
  return typeof conformance === 'object' ? conformance : {}
}

/** The plugins that are named, and all that any of them requires and that comes with this package. The boot complains about the others. */
async function companionsOf(
  definition: PluginDefinition,
  named: readonly PluginEntry[],
  fromDir: string,
): Promise<ConfiguredPlugin[]> {
  const { plugins, problems } = await discoverPlugins(named, fromDir)
  if (problems.length > 0) throw new BootError(problems)
  const found = new Map<string, ConfiguredPlugin>(
    plugins.map(each => [each.definition.name, { definition: each.definition, given: each.given }]),
  )
  found.delete(definition.name)
  const open = [definition, ...plugins.map(each => each.definition)]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const name of next.requires ?? []) {
      const file = join(compiledRoot, 'plugins', name, 'plugin.js')
      if (name === definition.name || found.has(name) || !existsSync(file)) continue
      const [required] = (await discoverPlugins([file], compiledRoot)).plugins
      if (!required) continue
      found.set(name, { definition: required.definition, given: {} })
      open.push(required.definition)
    }
  }
  return [...found.values()]
}

/** The same plugin with modified contributions. */
export function withRegistrar(
  entry: EntryUnderTest,
  wrap: (to: Parameters<PluginDefinition['register']>[0]) => Parameters<PluginDefinition['register']>[0],
): EntryUnderTest {
  const changed = (definition: PluginDefinition): PluginDefinition => ({
    ...definition,
    register: (to, context) => definition.register(wrap(to), context),
  })
  if ('definition' in entry) return definePlugin(changed(entry.definition))(entry.given)
  const { [changeDefinition]: before = unchanged } = entry
  return { ...entry, [changeDefinition]: definition => changed(before(definition)) }
}
const unchanged: Change = definition => definition
