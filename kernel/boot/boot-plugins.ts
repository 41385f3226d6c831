import type { AdmissionConfiguration, OrchConfig, TSchema, Vendor, VendorProfile } from 'orch/sdk'
import { chainProblems } from '../admission/chain-order.js'
import { loadConfiguration } from '../admission/load-configuration.js'
import { type BootProblem, problem } from '../contracts/boot-errors.js'
import { nearestName } from '../contracts/nearest-name.js'
import { FeatureGates } from '../options/feature-gates.js'
import { KernelOptions, kernelName } from '../options/kernel-options.js'
import { declareOptions, type OptionDeclaration, type OptionOwner } from '../options/option-declarations.js'
import { parseFlags } from '../options/parse-flags.js'
import { optionsFor } from '../options/plugin-options.js'
import { Registry } from '../registry/registry.js'
import { runtimeConfigProblems } from '../types/runtime-config.js'
import { builtInContributions } from './built-in-contributions.js'
import { checkDefinitions } from './check-definitions.js'
import { checkKernelOptions } from './check-kernel-options.js'
import { permissionProblems } from './check-permissions.js'
import { checkPlugin, withoutDuplicates } from './check-plugin.js'
import { undeclaredProposals } from './check-proposed.js'
import { checkServices } from './check-services.js'
import { chooseVendor } from './choose-vendor.js'
import { cutterFor } from './cut-catalogue.js'
import { type DiscoveredPlugin, discoverPlugins } from './discover-plugins.js'
import { orderPlugins } from './order-plugins.js'
import { prepareIsolated, type RegistrationContext, registerPlugin } from './register-plugin.js'

/**
 * Everything up to the sealed registry, without side effects: no file is written, no port opened, no service built.
 * It collects problems instead of throwing. The caller goes on like this:
 *
 *     const booted = await bootPlugins({ config, configDir, flags })
 *     if (booted.problems.length > 0) throw new BootError(booted.problems)
 *     const root = new RootContainer()
 *     root.provide(services.clock, clock)                     // ... every token of the sdk's `services`
 *     root.provideLazily(services.client, () => makeClient())
 *     providePluginServices(root, booted.registry)            // what plugins offer to each other
 *     root.scopeOf(plugin).resolve(definition.needs)          // what a definition of that plugin gets, once per definition
 *     const running = new PluginLifecycle({ root, registry: booted.registry, ... })   // see start-plugins.ts
 *     await running.runStartTasks()
 *     await running.startControllers()
 *     await running.stop()
 */
export async function bootPlugins(request: BootRequest): Promise<BootedPlugins> {
  const { config, configDir = process.cwd(), flags: words = [] } = request
  const discovered = await discoverPlugins(config.plugins, configDir)
  const checked = discovered.plugins.map(plugin => ({ plugin, problems: checkPlugin(plugin) }))
  const sound = withoutDuplicates(checked.filter(c => c.problems.length === 0).map(c => c.plugin))
  const { ordered, problems: orderProblems } = orderPlugins(sound.plugins)
  const unusable = [...discovered.problems, ...checked.flatMap(c => c.problems)]

  const kernel = { definition: { name: kernelName, options: KernelOptions as TSchema }, given: {} }
  const command = request.command ?? noCommand
  const owners = [command, kernel.definition, ...ordered.map(plugin => plugin.definition)]
  const { declarations, problems: declareProblems } = declareOptions(owners)
  const flags = parseFlags(words, declarations.values())
  const wordProblems = [...flags.problems, ...unknownKeys(config, declarations)]
  const { vendor, problems: vendorProblems } = chooseVendor(
    (flags.values.get('vendor') as string | undefined) ?? request.vendor ?? config.vendor,
    versionAsked(flags.values, config),
  )

  const sources = { config: { ...config, vendor: vendor.name }, flags: flags.values }
  const kernelResult = optionsFor(kernel.definition, { ...sources, given: {} })
  const kernelOptions = kernelResult.options as KernelOptions
  const commandResult = optionsFor(command, { ...sources, given: {} })
  const featureGates = new FeatureGates(
    ordered.map(({ definition }) => definition.gates ?? {}),
    kernelOptions.featureGates ?? {},
    vendor,
  )
  const registry = new Registry(cutterFor(vendor, featureGates))
  builtInContributions(registry.registrarFor(kernelName))
  await Promise.all(ordered.map(plugin => prepareIsolated(plugin, { registry, vendor, sources, featureGates })))
  const registered = registerAll(ordered, { registry, vendor, sources, featureGates })
  registry.seal()

  const complete = unusable.length === 0 && registered.problems.length === 0
  const isConfigured = complete && kernelResult.problems.length === 0
  const admission = loadConfiguration(
    isConfigured ? kernelOptions.admissionControlConfigFile : undefined,
    vendor,
    registry.admissions.map(({ definition }) => definition.name),
  )
  const path = 'admissionControlConfigFile'
  const booted: BootedPlugins = {
    found: ordered,
    sources,
    registry,
    vendor,
    kernelOptions,
    featureGates,
    admissionConfiguration: admission.configuration,
    commandOptions: commandResult.options,
    flags: flags.values,
    declarations: [...declarations.values()],
    optionsOf: plugin => registered.options.get(plugin) ?? {},
    problems: [
      ...unusable,
      ...sound.problems,
      ...orderProblems,
      ...declareProblems,
      // A missing flag or service may belong to a plugin that could not be loaded, so it is not reported.
      ...wordProblems.filter(p => unusable.length === 0 || !p.code.endsWith('_UNKNOWN')),
      ...vendorProblems,
      ...kernelResult.problems,
      ...commandResult.problems,
      ...registered.problems,
      ...registry.problems,
      ...checkDefinitions(registry),
      ...checkCommands(registry),
      ...(complete ? checkServices(registry) : []),
      ...ordered.flatMap(plugin => permissionProblems(plugin, registry)),
      ...undeclaredProposals(ordered, registry),
      ...(isConfigured ? checkKernelOptions(kernelOptions, registry) : []),
      ...(unusable.length === 0 ? featureGates.problems() : []).map(why =>
        problem('ORCH_OPTION_INVALID', { plugin: kernelName, path: 'featureGates', why }),
      ),
      ...(isConfigured ? chainProblems(registry.admissions, kernelOptions) : []),
      ...(isConfigured ? checkRuntimeConfig(kernelOptions, registry, ordered, vendor) : []),
      ...admission.problems.map(why => problem('ORCH_OPTION_INVALID', { plugin: kernelName, path, why })),
    ],
  }
  if (booted.problems.length > 0) await Promise.all(discovered.plugins.map(({ isolated }) => isolated?.close()))
  return booted
}

function checkRuntimeConfig(
  { runtimeConfig }: KernelOptions,
  registry: Registry,
  plugins: readonly DiscoveredPlugin[],
  vendor: Vendor,
): BootProblem[] {
  const resources = registry.resources.map(({ definition }) => definition)
  const otherKeys = plugins.flatMap(({ definition }) => definition.runtimeConfigKeys?.(vendor) ?? [])
  return runtimeConfigProblems(runtimeConfig, resources, otherKeys).map(why =>
    problem('ORCH_OPTION_INVALID', { plugin: kernelName, path: 'runtimeConfig', why }),
  )
}

/** The version of the API to speak: a flag takes precedence over the config, `--kubernetes-version` over its other name. */
function versionAsked(flags: ReadonlyMap<string, unknown>, config: OrchConfig): string | undefined {
  const keys = ['kubernetesVersion', 'emulatedVersion'] as const
  const given = keys.map(key => flags.get(key)).concat(keys.map(key => (config as Record<string, unknown>)[key]))
  return given.find(value => typeof value === 'string') as string | undefined
}

/** A command without options. */
const noCommand: OptionOwner = { name: 'command' }

export interface BootRequest {
  readonly config: OrchConfig
  /** Plugin paths and package names are relative to this folder; the working directory by default. */
  readonly configDir?: string
  /** Arguments after the subcommand. */
  readonly flags?: readonly string[]
  /** A command with options of its own, declared like a plugin's. */
  readonly command?: OptionOwner
  /** Overrides the vendor of the config; the flag overrides both. */
  readonly vendor?: string | VendorProfile
}

export interface BootedPlugins {
  /** In the order they start, with the options of their entries. */
  readonly found: readonly DiscoveredPlugin[]
  /** Options beside those of the entries. */
  readonly sources: RegistrationContext['sources']
  readonly registry: Registry
  readonly vendor: Vendor
  readonly kernelOptions: KernelOptions
  readonly featureGates: FeatureGates
  readonly admissionConfiguration: AdmissionConfiguration
  /** The options of the command itself. */
  readonly commandOptions: Readonly<Record<string, unknown>>
  /** Values of flags, by config key. */
  readonly flags: ReadonlyMap<string, unknown>
  /** The options of the kernel and of every plugin, for --help. */
  readonly declarations: readonly OptionDeclaration[]
  optionsOf(plugin: string): Readonly<Record<string, unknown>>
  readonly problems: readonly BootProblem[]
}

/** Calls `register` of every plugin, except those with invalid options, which would only fail again. */
function registerAll(
  plugins: readonly DiscoveredPlugin[],
  context: RegistrationContext,
): { options: ReadonlyMap<string, Record<string, unknown>>; problems: BootProblem[] } {
  const options = new Map<string, Record<string, unknown>>()
  const problems: BootProblem[] = []
  for (const plugin of plugins) {
    const registered = registerPlugin(plugin, context)
    options.set(plugin.definition.name, registered.options)
    problems.push(...registered.problems)
  }
  return { options, problems }
}

/** Keys of the config that are neither its own nor an option of a plugin. */
function unknownKeys(config: OrchConfig, declarations: ReadonlyMap<string, unknown>): BootProblem[] {
  return Object.keys(config)
    .filter(key => key !== 'plugins' && !declarations.has(key))
    .map(key => {
      const suggestion = nearestName(key, [...declarations.keys(), 'plugins'])
      return problem('ORCH_OPTION_UNKNOWN', { option: key, ...(suggestion ? { suggestion } : {}) })
    })
}

/** Commands of the binary itself, which take precedence over those of plugins. */
const builtInCommandNames = ['serve', 'controllers', 'plugins', 'certs', 'version', 'help'] as const

/** Reports plugins whose commands have the name of a built-in one. */
function checkCommands(registry: Registry): BootProblem[] {
  const isBuiltIn = (name: string) => (builtInCommandNames as readonly string[]).includes(name)
  return registry.commands
    .filter(({ definition }) => isBuiltIn(definition.name))
    .map(({ plugin, definition }) =>
      problem('ORCH_COMMAND_DUPLICATE', { plugin, first: kernelName, name: definition.name }),
    )
}
