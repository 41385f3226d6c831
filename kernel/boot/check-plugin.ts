import { type PluginDefinition, proposedServices, sdkDoors, sdkVersion } from 'orch/sdk/host'
import major from 'semver/functions/major.js'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import { isObject } from '../../libs/json/index.js'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { kernelName } from '../options/kernel-options.js'
import type { DiscoveredPlugin } from './discover-plugins.js'

/** Checks a plugin before its `register` is called. */
export function checkPlugin({ definition, source, builtWithSdk = sdkVersion }: DiscoveredPlugin): BootProblem[] {
  const why = whyInvalid(definition)
  if (why) return [problem('ORCH_PLUGIN_INVALID', { plugin: nameOrSource(definition, source), why })]
  const { name: plugin, proposed = [] } = definition
  if (major(builtWithSdk) !== major(sdkVersion))
    return [problem('ORCH_PLUGIN_SDK_RANGE', { plugin, door: mainDoor, range: builtWithSdk, version: sdkVersion })]
  return [...rangeProblems(definition), ...unknownProposals(plugin, proposed)]
}

const mainDoor = 'orch/sdk'
/** By entry point; undefined for one that does not exist. */
const versions: Readonly<Record<string, string | undefined>> = sdkDoors

function rangeProblems({ name: plugin, sdk = {} }: PluginDefinition): BootProblem[] {
  const ranges = typeof sdk === 'string' ? { [mainDoor]: sdk } : sdk
  return Object.entries(ranges).flatMap(([door, range]): BootProblem[] => {
    const version = Object.hasOwn(versions, door) ? versions[door] : undefined
    if (version === undefined) {
      const known = Object.keys(versions).join(', ')
      return [problem('ORCH_PLUGIN_INVALID', { plugin, why: `the sdk has no versions of "${door}", only of ${known}` })]
    }
    if (validRange(range) === null)
      return [problem('ORCH_PLUGIN_INVALID', { plugin, why: `its sdk range "${range}" is not a version range` })]
    if (satisfies(version, range)) return []
    return [problem('ORCH_PLUGIN_SDK_RANGE', { plugin, door, range, version })]
  })
}

/** Such a name became stable or was removed since the plugin was written, so its import is undefined. */
function unknownProposals(plugin: string, names: readonly string[]): BootProblem[] {
  const proposed = Object.keys(proposedServices)
  return names
    .filter(name => !proposed.includes(name))
    .map(name => problem('ORCH_PLUGIN_PROPOSED_UNKNOWN', { plugin, name, proposed }))
}

/** The first plugin of each name; the others are reported. */
export function withoutDuplicates(plugins: readonly DiscoveredPlugin[]): {
  plugins: DiscoveredPlugin[]
  problems: BootProblem[]
} {
  const byName = new Map<string, DiscoveredPlugin>()
  const problems: BootProblem[] = []
  for (const plugin of plugins) {
    const { name } = plugin.definition
    const first = byName.get(name)
    if (first)
      problems.push(problem('ORCH_PLUGIN_DUPLICATE', { plugin: name, first: first.source, second: plugin.source }))
    else byName.set(name, plugin)
  }
  return { plugins: [...byName.values()], problems }
}

function whyInvalid(definition: PluginDefinition): string | undefined {
  const { name, register, requires, options, sdk, proposed } = definition
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    return 'its name must be lower-case words joined by dashes'
  }
  if (name === kernelName) return `the name "${kernelName}" is taken by the kernel itself`
  if (typeof register !== 'function') return 'it has no register function'
  if (requires !== undefined && !areTexts(requires)) return 'requires must be a list of plugin names'
  if (proposed !== undefined && !areTexts(proposed)) return 'proposed must be a list of names'
  if (sdk !== undefined && typeof sdk !== 'string' && !(isObject(sdk) && areTexts(Object.values(sdk))))
    return 'sdk must be a version range, or one for each entry point'
  if (options !== undefined && options?.['type'] !== 'object') return 'its options must be a Type.Object({...})'
  return undefined
}

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(each => typeof each === 'string')

const nameOrSource = (definition: PluginDefinition, source: string): string =>
  typeof definition.name === 'string' && definition.name !== '' ? definition.name : source
