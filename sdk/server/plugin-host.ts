import type { TObject } from '@sinclair/typebox'
import type { PluginEntry } from '../plugin/config.js'
import type { IsolationGrade } from '../plugin/isolation.js'

/** How a plugin fares that runs apart from the server. */
export interface PluginHealth {
  readonly isHealthy: boolean
  /** One word: `Serving`, `NotAnswering`, `Failed`, `PermissionDenied`, `UnreadableAnswer`. */
  readonly reason: string
  readonly message: string
  /** How often it was started again. */
  readonly restarts: number
  /** How often it was refused what its permissions do not allow. */
  readonly violations: number
  readonly lastFailure?: string
}

/** A plugin of the running server. */
export interface HostedPlugin {
  readonly name: string
  /** Whether it is listed in the config, and so can only be changed there. */
  readonly isFixed: boolean
  /** What it brings: `{ resources: ['widgets.example.com (v1)'] }`. */
  readonly brings: Readonly<Record<string, readonly string[]>>
  readonly isolation: IsolationGrade
  /** What it does beyond that, one by one. */
  readonly permissions: readonly string[]
  /** The schema of its options. */
  readonly options?: TObject | undefined
  /** Undefined for one that runs in this process. */
  readonly health?: PluginHealth | undefined
}

/** Where a plugin stands among the others, which is the order of chains. Last by default. */
export interface PluginPlace {
  /** The name of the plugin that comes right after it. */
  readonly before?: string
}

/**
 * Loads, replaces and unloads plugins while the server runs. What requests read of a plugin is exchanged in one step between
 * requests. Whatever fails leaves the plugins as they were, and rejects with an error that says why, one line for each problem.
 */
export interface PluginHost {
  find(name: string): HostedPlugin | undefined
  /** Adds a plugin: an imported one, or the path of its module. Resolves to its name when it serves, and its control loops run. */
  load(plugin: PluginEntry, options?: Readonly<Record<string, unknown>>, place?: PluginPlace): Promise<string>
  /** Puts another version of a plugin, or the same one with other options, in its place. If that fails the old one serves on. */
  replace(name: string, plugin: PluginEntry, options?: Readonly<Record<string, unknown>>): Promise<void>
  /** Removes a plugin. Objects of its types stay stored. */
  unload(name: string): Promise<void>
  /** What is wrong with a plugin that is loaded: health checks that fail, control loops that do not run. */
  problemsOf(name: string): Promise<readonly string[]>
  /** The last lines that a plugin logged in this process, oldest first. */
  logOf(name: string): readonly string[]
  /** A process that joins a server which has started takes requests after this, so that it serves what the others serve. */
  readyAfter(loading: Promise<unknown>): void
  /** Calls back when the health of an isolated plugin changes, with its name; returns the way to stop. */
  onHealth(listener: (plugin: string, health: PluginHealth) => void): () => void
}
