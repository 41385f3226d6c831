import { type Logger, type PluginEntry, type ServiceToken, services } from 'orch/sdk'
import type { Store } from 'orch/sdk/host'
import type { HostedPlugin, PluginHost } from 'orch/sdk/server'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { changePlugins, type PluginChange } from '../boot/change-plugins.js'
import { type DiscoveredPlugin, discoverPlugins } from '../boot/discover-plugins.js'
import type { PluginLifecycle } from '../boot/start-plugins.js'
import { createService } from '../container/provide-plugin-services.js'
import { BootError, type BootProblem, problem } from '../contracts/boot-errors.js'
import type { ControlLoops } from '../loops/control-loops.js'
import type { Registry, ResourceContribution } from '../registry/registry.js'
import type { ResourceType } from '../types/resource-type.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { declareVersions, storedForms } from '../types/stored-versions.js'
import type { WatchHub } from '../watch/watch-hub.js'
import type { Assembly } from './assemble.js'
import { broughtBy } from './inventory.js'
import { differenceBetween, heldServices, type PluginDifference } from './plugin-difference.js'

export interface HostParts {
  /** The plugins of the server. Its parts read them here, so this follows every change. */
  readonly booted: BootedPlugins
  readonly assembly: Pick<Assembly, 'root' | 'prepare'>
  readonly types: ResourceTypes
  /** The store with its layers, in which versions are declared. */
  readonly store: Store
  readonly hub: WatchHub
  readonly startTasks: PluginLifecycle
  readonly loops: ControlLoops
  readonly logger: Logger
  /** Why plugins cannot come or go in this server; undefined if they can. */
  readonly whyFixed: string | undefined
}

type StoredForms = ReturnType<typeof storedForms>

/** Options of a plugin, as in its entry in the config. */
type Given = Readonly<Record<string, unknown>>

/**
 * Loads, replaces and unloads plugins while the server runs. A change is computed and checked first; what requests read of it
 * (types, admission controls, routes, health checks) is then exchanged in one synchronous step, between requests. Then start tasks
 * and control loops follow. Whatever fails on the way leaves the plugins as they were, and rejects with a BootError that says why.
 */
export class LivePlugins implements PluginHost {
  readonly #parts: HostParts
  /** Names of the plugins in the config. */
  readonly #fixed: Set<string>
  /** The plugins as they are now; unlike the parts' own this one stays as it is. */
  #now: BootedPlugins
  /** The last change: they are made one after the other. */
  #last: Promise<unknown>
  #open: () => void = () => {}
  #isClosed = false

  constructor(parts: HostParts) {
    this.#parts = parts
    this.#now = { ...parts.booted, registry: parts.booted.registry.copy() }
    this.#fixed = new Set(parts.booted.plugins.map(({ name }) => name))
    this.#last = new Promise<void>(resolve => {
      this.#open = resolve
    })
  }

  find(name: string): HostedPlugin | undefined {
    if (!this.definitionOf(name)) return undefined
    return { name, isFixed: this.#fixed.has(name), brings: broughtBy(name, this.#now) }
  }
  /** The definition of a plugin and the options that it was given; undefined if it is not there. */
  definitionOf(name: string): DiscoveredPlugin | undefined {
    return this.#now.found.find(isCalled(name))
  }

  /** Changes are made from now on; those that were asked for before have waited. */
  open(): void {
    this.#open()
  }

  /** Adds a plugin. Resolves when it serves, and its control loops run. */
  load(entry: PluginEntry, options: Given = {}): Promise<string> {
    return this.#inTurn(async () => {
      const plugin = await discovered(entry, options)
      const { name } = plugin.definition
      if (this.definitionOf(name)) throw new BootError([problem('ORCH_PLUGIN_LOADED', { plugin: name })])
      await this.#change({ name, plugin })
      return name
    })
  }

  /** Removes a plugin. Objects of its types stay stored. */
  unload(name: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#refuseFixed(name)
      await this.#change({ name })
    })
  }

  /** Puts another version of a plugin, or the same one with other options, in its place. If that fails the old one serves on. */
  replace(name: string, entry: PluginEntry, options: Given = {}): Promise<void> {
    return this.#inTurn(async () => {
      this.#refuseFixed(name)
      await this.#replace(name, entry, options)
    })
  }

  /** For whoever reads the config anew: a plugin that it lists, or (without `plugin`) no longer lists. */
  configure(name: string, plugin: DiscoveredPlugin | undefined): Promise<void> {
    return this.#inTurn(async () => {
      await this.#change({ name, plugin })
      if (plugin) this.#fixed.add(name)
      else this.#fixed.delete(name)
    })
  }
  /** Those that the config lists. */
  get configured(): readonly DiscoveredPlugin[] {
    return this.#now.found.filter(({ definition }) => this.#fixed.has(definition.name))
  }

  /** Waits for the change that is being made; further ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#open()
    await this.#last.catch(() => {})
  }

  async #replace(name: string, entry: PluginEntry, options: Given): Promise<void> {
    const plugin = await discovered(entry, options)
    const { name: newName } = plugin.definition
    if (newName !== name) throw new BootError([problem('ORCH_PLUGIN_RENAMED', { plugin: name, name: newName })])
    if (!this.definitionOf(name)) throw new BootError([problem('ORCH_PLUGIN_UNKNOWN', { plugin: name })])
    await this.#change({ name, plugin })
  }

  #refuseFixed(plugin: string): void {
    if (!this.definitionOf(plugin)) throw new BootError([problem('ORCH_PLUGIN_UNKNOWN', { plugin })])
    if (this.#fixed.has(plugin)) throw new BootError([problem('ORCH_PLUGIN_FIXED', { plugin })])
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(change, change)
    this.#last = turn.catch(() => {})
    return turn
  }

  async #change(change: PluginChange): Promise<void> {
    const { name } = change
    const { whyFixed, logger } = this.#parts
    const why = this.#isClosed ? 'it is stopping' : whyFixed
    if (why !== undefined) throw new BootError([problem('ORCH_PLUGIN_HOST_UNAVAILABLE', { plugin: name, why })])
    const before = this.#now
    const after = changePlugins(before, change)
    refuse(after.problems)
    const difference = differenceBetween(before.registry, after.registry)
    refuse(heldServices(difference, name, after.registry))
    if (change.plugin) await this.#add(name, before, after, difference)
    else await this.#remove(after, difference)
    const what = !change.plugin ? 'unloaded' : before.found.some(isCalled(name)) ? 'replaced' : 'loaded'
    logger.info(`plugin ${what}`, { plugin: name })
  }

  async #add(name: string, before: BootedPlugins, after: BootedPlugins, difference: PluginDifference): Promise<void> {
    const types = difference.newTypes.map(each => this.#compile(each, difference.goneTypes))
    this.#exchange(after, difference, types, await this.#declare(types))
    try {
      await this.#run(difference)
    } catch (thrown) {
      const back = differenceBetween(after.registry, before.registry)
      const old = back.newTypes.map(each => this.#parts.types.compile(each))
      // What was stored meanwhile may be of a version that only the new plugin knows. The rest can be read.
      const forms = await this.#declare(old).catch(() => storedForms(old, undefined))
      this.#exchange(before, back, old, forms)
      await this.#run(back).catch(error => this.#parts.logger.error('a plugin did not resume', { plugin: name, error }))
      throw thrown
    }
  }

  /** Loops and tasks first: they work on types that are about to go. */
  async #remove(after: BootedPlugins, difference: PluginDifference): Promise<void> {
    const { loops, startTasks } = this.#parts
    const { stoppedLoops, stoppedTasks } = difference
    await loops.stopSome(stoppedLoops)
    await startTasks.stopSome(stoppedTasks)
    try {
      const types = difference.newTypes.map(each => this.#parts.types.compile(each))
      this.#exchange(after, difference, types, new Map())
    } catch (thrown) {
      await startTasks.runStartTasks(stoppedTasks)
      await loops.startSome(stoppedLoops)
      throw thrown
    }
    await this.#run(difference)
  }

  /** Stops what belongs to the old plugin and starts what belongs to the new one. */
  async #run(difference: PluginDifference): Promise<void> {
    const { loops, startTasks } = this.#parts
    await loops.stopSome(difference.stoppedLoops)
    await startTasks.stopSome(difference.stoppedTasks)
    await startTasks.runStartTasks(difference.startedTasks)
    try {
      await loops.startSome(difference.startedLoops)
    } catch (thrown) {
      await startTasks.stopSome(difference.startedTasks)
      throw thrown
    }
  }

  /** A type must not take the name of one that an object describes: the registry knows nothing of those. */
  #compile(contribution: ResourceContribution, gone: readonly ResourceContribution[]): ResourceType {
    const { plugin, definition } = contribution
    const { group, resource, kind } = definition
    const { types } = this.#parts
    const taken = types.get(group, resource) ?? types.ofKind(group, kind)
    const isGoing = gone.some(
      each => each.definition.group === taken?.group && each.definition.resource === taken.resource,
    )
    if (taken && !isGoing) {
      const name = group ? `${resource}.${group}` : resource
      throw new BootError([problem('ORCH_RESOURCE_DUPLICATE', { plugin, first: taken.plugin, name })])
    }
    return types.compile(contribution)
  }

  /** Notes in the store how objects will be stored, before any is. Throws if those that are stored cannot be read. */
  async #declare(types: readonly ResourceType[]): Promise<StoredForms> {
    const stored = types.filter(({ definition, storageKey, group, resource }) => {
      return !definition.virtual && storageKey === `${group}/${resource}`
    })
    if (stored.length === 0) return new Map()
    return storedForms(stored, await declareVersions(this.#parts.store, stored, this.#now.vendor.name))
  }

  /** The one step, which no request sees half of: nothing in here waits. What throws, throws before anything has changed. */
  #exchange(
    after: BootedPlugins,
    difference: PluginDifference,
    added: readonly ResourceType[],
    forms: StoredForms,
  ): void {
    const { assembly, types, hub } = this.#parts
    const before = this.#now
    const takeBack = assembly.root.renew(this.#recipes(after.registry, difference))
    this.#show(after)
    let putInPlace: () => void
    try {
      putInPlace = assembly.prepare(after.registry)
    } catch (thrown) {
      takeBack()
      this.#show(before)
      throw thrown
    }
    const gone = difference.goneTypes.flatMap(
      ({ definition }) => types.get(definition.group, definition.resource) ?? [],
    )
    types.useForms(forms)
    types.exchange(gone, added)
    putInPlace()
    for (const { storageKey } of gone) hub.endWatches(storageKey)
  }

  #recipes(after: Registry, difference: PluginDifference): Map<ServiceToken<unknown>, (() => unknown) | undefined> {
    const { root } = this.#parts.assembly
    const offered = new Map(after.services.map(each => [each.definition.token, each]))
    const recipeOf = (token: ServiceToken<unknown>) => {
      const service = offered.get(token)
      if (service) return () => createService(service.plugin, service.definition, root)
      return kernelTokens.has(token) ? root.recipeOf(token) : undefined
    }
    return new Map([...difference.services].map(token => [token, recipeOf(token)]))
  }

  /** The parts of the server see these plugins from now on. */
  #show({ plugins, found, registry, featureGates, declarations, optionsOf }: BootedPlugins): void {
    const { booted } = this.#parts
    booted.registry.become(registry)
    Object.assign(booted, { plugins, found, featureGates, declarations, optionsOf })
    this.#now = { ...booted, registry }
  }
}

const kernelTokens = new Set<ServiceToken<unknown>>(Object.values(services))

const isCalled =
  (name: string) =>
  ({ definition }: DiscoveredPlugin): boolean =>
    definition.name === name

function refuse(problems: readonly BootProblem[]): void {
  if (problems.length > 0) throw new BootError(problems)
}

async function discovered(entry: PluginEntry, options: Given): Promise<DiscoveredPlugin> {
  const { plugins, problems } = await discoverPlugins([entry], process.cwd())
  const [plugin] = plugins
  if (!plugin) throw new BootError(problems)
  return { ...plugin, given: { ...plugin.given, ...options } }
}
