import { type PluginDefinition, sdkVersion } from 'orch/sdk/host'
import major from 'semver/functions/major.js'
import satisfies from 'semver/functions/satisfies.js'
import validRange from 'semver/ranges/valid.js'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { kernelName } from '../options/kernel-options.js'
import type { DiscoveredPlugin } from './discover-plugins.js'

/** Checks a plugin before its `register` is called. */
export function checkPlugin({ definition, source, builtWithSdk = sdkVersion }: DiscoveredPlugin): BootProblem[] {
  const why = whyInvalid(definition)
  if (why) return [problem('ORCH_PLUGIN_INVALID', { plugin: nameOrSource(definition, source), why })]
  const { name, sdk } = definition
  if (major(builtWithSdk) !== major(sdkVersion)) {
    return [problem('ORCH_PLUGIN_SDK_RANGE', { plugin: name, range: builtWithSdk, version: sdkVersion })]
  }
  if (sdk === undefined) return []
  if (validRange(sdk) === null) {
    return [problem('ORCH_PLUGIN_INVALID', { plugin: name, why: `its sdk range "${sdk}" is not a version range` })]
  }
  return satisfies(sdkVersion, sdk)
    ? []
    : [problem('ORCH_PLUGIN_SDK_RANGE', { plugin: name, range: sdk, version: sdkVersion })]
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
  const { name, register, requires, options } = definition
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    return 'its name must be lower-case words joined by dashes'
  }
  if (name === kernelName) return `the name "${kernelName}" is taken by the kernel itself`
  if (typeof register !== 'function') return 'it has no register function'
  if (requires !== undefined && !(Array.isArray(requires) && requires.every(name => typeof name === 'string'))) {
    return 'requires must be a list of plugin names'
  }
  if (options !== undefined && options?.['type'] !== 'object') return 'its options must be a Type.Object({...})'
  return undefined
}

const nameOrSource = (definition: PluginDefinition, source: string): string =>
  typeof definition.name === 'string' && definition.name !== '' ? definition.name : source
