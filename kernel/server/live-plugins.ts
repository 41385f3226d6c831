import type { Logger, PluginEntry } from 'orch/sdk'
import type { Store } from 'orch/sdk/host'
import type { HostedPlugin, PluginHost, PluginPlace } from 'orch/sdk/proposed'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { changePlugins, type PluginChange } from '../boot/change-plugins.js'
import { type DiscoveredPlugin, discoverPlugin } from '../boot/discover-plugins.js'
import type { PluginLifecycle } from '../boot/start-plugins.js'
import { renewedRecipes } from '../container/provide-plugin-services.js'
import { BootError, type BootProblem, problem } from '../contracts/boot-errors.js'
import type { ControlLoops } from '../loops/control-loops.js'
import type { PluginLogLines } from '../observe/plugin-log-lines.js'
import { withReadableStacks } from '../observe/source-positions.js'
import type { ResourceType } from '../types/resource-type.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { storedForms } from '../types/stored-versions.js'
import type { WatchHub } from '../watch/watch-hub.js'
import { compileAdded, declareStored, type StoredForms } from './added-types.js'
import type { Assembly } from './assemble.js'
import { contributionsOf } from './inventory.js'
import type { IsolatedPlugins } from './isolated-plugins.js'
import { differenceBetween, heldServices, type PluginDifference } from './plugin-difference.js'
import { problemsOfPlugin } from './plugin-health.js'

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
  readonly isolated: IsolatedPlugins
  readonly logger: Logger
  /** What plugins have logged. */
  readonly log: PluginLogLines
}

/** Options of a plugin, as in its entry in the config. */
type Given = Readonly<Record<string, unknown>>

/**
 * Loads, replaces and unloads plugins while the server runs. A change is computed and checked first; the tables that requests read
 * (types, admission controls, routes, health checks) are then exchanged in one synchronous step, between requests. Start tasks and
 * control loops follow. A failure in any step leaves the plugins as they were, and rejects with a BootError that states the cause.
 */
export class LivePlugins implements PluginHost {
  readonly #parts: HostParts
  /** Names of the plugins in the config. */
  readonly #fixed: Set<string>
  /** Plugins of the config that are replaced by others. They are restored when those are unloaded. */
  readonly #covered = new Map<string, DiscoveredPlugin>()
  /** The current plugins. Unlike `parts.booted` this object is never modified. */
  #now: BootedPlugins
  /** The last change: changes are made one after the other. */
  #last: Promise<unknown>
  #open: () => void = () => {}
  #isClosed = false
  /** Plugins that are loaded at the start. */
  #initial: Promise<unknown> = Promise.resolve()

  constructor(parts: HostParts) {
    this.#parts = parts
    this.#now = { ...parts.booted, registry: parts.booted.registry.copy() }
    this.#fixed = new Set(parts.booted.found.map(({ definition }) => definition.name))
    this.#last = new Promise<void>(resolve => {
      this.#open = resolve
    })
  }

  find(name: string): HostedPlugin | undefined {
    const plugin = this.definitionOf(name)
    if (!plugin) return undefined
    const known = { name, isFixed: this.#fixed.has(name), brings: contributionsOf(name, this.#now) }
    return { ...known, options: plugin.definition.options, ...this.#parts.isolated.describe(plugin) }
  }
  onHealth: PluginHost['onHealth'] = listener => this.#parts.isolated.onHealth(listener)
  /** The definition of a plugin and its options; undefined if it is not loaded. */
  definitionOf(name: string): DiscoveredPlugin | undefined {
    return this.#now.found.find(isCalled(name))
  }

  problemsOf(name: string): Promise<readonly string[]> {
    const { assembly, loops } = this.#parts
    return problemsOfPlugin(name, { registry: this.#now.registry, root: assembly.root, loops })
  }
  logOf(name: string): readonly string[] {
    return this.#parts.log.of(name)
  }

  /** Changes are made from now on; those requested before have waited. */
  open(): void {
    this.#open()
  }

  /** Adds a plugin. Resolves when it serves, and its control loops run. */
  load(entry: PluginEntry, options: Given = {}, { before }: PluginPlace = {}): Promise<string> {
    return this.#inTurn(async () => {
      const plugin = await discoverPlugin(entry, options)
      const { name } = plugin.definition
      const there = this.definitionOf(name)
      const isCovering = there !== undefined && this.#fixed.has(name) && this.#isReplaceable(name)
      const code = this.#fixed.has(name) ? 'ORCH_PLUGIN_FIXED' : 'ORCH_PLUGIN_LOADED'
      if (there && !isCovering) throw new BootError([problem(code, { plugin: name })])
      await this.#change({ name, plugin, before })
      if (isCovering) this.#covered.set(name, there)
      return name
    })
  }

  /** Removes a plugin, or restores the one of the config that it replaced. Objects of its types stay stored. */
  unload(name: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#refuseFixed(name)
      await this.#change({ name, plugin: this.#covered.get(name) })
      this.#covered.delete(name)
    })
  }

  /** Replaces a plugin by another version, or by the same one with other options. If that fails, the old one keeps serving. */
  replace(name: string, entry: PluginEntry, options: Given = {}): Promise<void> {
    return this.#inTurn(async () => {
      this.#refuseFixed(name)
      await this.#replace(name, entry, options)
    })
  }

  /** After the config was reloaded: a plugin that it lists, or (without `plugin`) no longer lists. */
  configure(name: string, plugin: DiscoveredPlugin | undefined): Promise<void> {
    return this.#inTurn(async () => {
      await this.#change({ name, plugin })
      if (plugin) this.#fixed.add(name)
      else this.#fixed.delete(name)
    })
  }
  /** The plugins that the config lists. */
  get configured(): readonly DiscoveredPlugin[] {
    return this.#now.found.filter(({ definition }) => this.#fixed.has(definition.name))
  }

  readyAfter(loading: Promise<unknown>): void {
    this.#initial = Promise.allSettled([this.#initial, loading])
  }
  /** Resolves when the plugins that are loaded at the start have been loaded, or have failed. */
  whenReady(): Promise<unknown> {
    return this.#initial
  }

  /** Waits for the change in progress; further changes are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#open()
    await this.#last.catch(() => {})
    await this.#parts.isolated.close()
  }

  async #replace(name: string, entry: PluginEntry, options: Given): Promise<void> {
    const plugin = await discoverPlugin(entry, options)
    const { name: newName } = plugin.definition
    if (newName !== name) throw new BootError([problem('ORCH_PLUGIN_RENAMED', { plugin: name, name: newName })])
    if (!this.definitionOf(name)) throw new BootError([problem('ORCH_PLUGIN_UNKNOWN', { plugin: name })])
    await this.#change({ name, plugin })
  }

  #refuseFixed(plugin: string): void {
    if (!this.definitionOf(plugin)) throw new BootError([problem('ORCH_PLUGIN_UNKNOWN', { plugin })])
    if (this.#fixed.has(plugin) && !this.#covered.has(plugin))
      throw new BootError([problem('ORCH_PLUGIN_FIXED', { plugin })])
  }

  /** Does the config allow another version of a plugin that it lists? */
  #isReplaceable(name: string): boolean {
    return this.#parts.booted.kernelOptions.replaceablePlugins.includes(name) && !this.#covered.has(name)
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(change, change).catch(thrown => Promise.reject(withReadableStacks(thrown)))
    this.#last = turn.catch(() => {})
    return turn
  }

  #change(change: PluginChange): Promise<void> {
    return this.#parts.isolated.exchange(this.definitionOf(change.name), change.plugin, () => this.#apply(change))
  }

  async #apply(change: PluginChange): Promise<void> {
    const { name } = change
    if (this.#isClosed)
      throw new BootError([problem('ORCH_PLUGIN_HOST_UNAVAILABLE', { plugin: name, why: 'it is stopping' })])
    const before = this.#now
    const after = await changePlugins(before, change)
    refuse(after.problems)
    if (change.plugin) this.#parts.isolated.attach(change.plugin)
    const difference = differenceBetween(before.registry, after.registry)
    refuse(heldServices(difference, name, after.registry))
    if (change.plugin) await this.#add(name, before, after, difference)
    else await this.#remove(after, difference)
    const what = !change.plugin ? 'unloaded' : before.found.some(isCalled(name)) ? 'replaced' : 'loaded'
    this.#parts.logger.info(`plugin ${what}`, { plugin: name })
  }

  async #add(name: string, before: BootedPlugins, after: BootedPlugins, difference: PluginDifference): Promise<void> {
    const types = compileAdded(this.#parts.types, difference)
    this.#exchange(after, difference, types, await this.#declare(types))
    try {
      await this.#run(difference)
    } catch (thrown) {
      const back = differenceBetween(after.registry, before.registry)
      const old = back.newTypes.map(each => this.#parts.types.compile(each))
      // Objects stored in the meantime may be of a version that only the new plugin has. All others can be read.
      const forms = await this.#declare(old).catch(() => storedForms(old, undefined))
      this.#exchange(before, back, old, forms)
      await this.#run(back).catch(error => this.#parts.logger.error('a plugin did not resume', { plugin: name, error }))
      throw thrown
    }
  }

  /** Loops and tasks stop first: they use types that are about to be removed. */
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

  /** Stops the loops and tasks of the old plugin and starts those of the new one. */
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

  /** The atomic step: it is synchronous, so no request sees half of it. If it throws, nothing has changed. */
  #exchange(
    after: BootedPlugins,
    difference: PluginDifference,
    added: readonly ResourceType[],
    forms: StoredForms,
  ): void {
    const { assembly, types, hub } = this.#parts
    const before = this.#now
    const revert = assembly.root.renew(renewedRecipes(assembly.root, after.registry, difference.services))
    this.#publish(after)
    let install: () => void
    try {
      install = assembly.prepare(after.registry)
    } catch (thrown) {
      revert()
      this.#publish(before)
      throw thrown
    }
    const gone = difference.goneTypes.flatMap(
      ({ definition }) => types.get(definition.group, definition.resource) ?? [],
    )
    types.useForms(forms)
    types.exchange(gone, added)
    install()
    for (const { storageKey } of gone) hub.endWatches(storageKey)
  }

  #declare(types: readonly ResourceType[]): Promise<StoredForms> {
    return declareStored(this.#parts.store, types, this.#now.vendor.name)
  }

  /** Makes these plugins visible to all parts of the server. */
  #publish({ found, registry, featureGates, declarations, optionsOf }: BootedPlugins): void {
    const { booted } = this.#parts
    booted.registry.become(registry)
    Object.assign(booted, { found, featureGates, declarations, optionsOf })
    this.#now = { ...booted, registry }
  }
}

const isCalled =
  (name: string) =>
  ({ definition }: DiscoveredPlugin): boolean =>
    definition.name === name

function refuse(problems: readonly BootProblem[]): void {
  if (problems.length > 0) throw new BootError(problems)
}
