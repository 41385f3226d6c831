import type { TObject } from '@sinclair/typebox'
import type { PluginEntry } from '../plugin/config.js'
import type { IsolationGrade } from '../plugin/isolation.js'
import { serviceToken } from '../plugin/service-token.js'

/** The health of a plugin that runs in a separate process or is a WebAssembly module. */
export interface PluginHealth {
  readonly isHealthy: boolean
  /** One word: `Serving`, `NotAnswering`, `Failed`, `PermissionDenied`, `UnreadableAnswer`. */
  readonly reason: string
  readonly message: string
  /** How often it was restarted. */
  readonly restarts: number
  /** How often it was denied an action outside its permissions. */
  readonly violations: number
  readonly lastFailure?: string
}

/** A plugin of the running server. */
export interface HostedPlugin {
  readonly name: string
  /** Whether it is listed in the config, and so can only be changed there. */
  readonly isFixed: boolean
  /** What it contributes: `{ resources: ['widgets.example.com (v1)'] }`. */
  readonly brings: Readonly<Record<string, readonly string[]>>
  readonly isolation: IsolationGrade
  /** Its permissions, one by one. */
  readonly permissions: readonly string[]
  /** The schema of its options. */
  readonly options?: TObject | undefined
  /** Undefined for one that is not isolated. */
  readonly health?: PluginHealth | undefined
}

/** The position of a plugin among the others, which determines the order of chains. Last by default. */
export interface PluginPlace {
  /** The name of the plugin that follows it. */
  readonly before?: string
}

/**
 * Loads, replaces and unloads plugins while the server runs. The parts of a plugin that requests use are switched in
 * one step between requests. If anything fails, the plugins stay as they were, and the call rejects with an error that
 * has one line per problem.
 */
export interface PluginHost {
  find(name: string): HostedPlugin | undefined
  /** Adds a plugin: an imported one, or the path of its module. Resolves to its name when it serves, and its control loops run. */
  load(plugin: PluginEntry, options?: Readonly<Record<string, unknown>>, place?: PluginPlace): Promise<string>
  /**
   * Replaces a plugin with another version, or with the same one and other options. If that fails, the old one keeps
   * serving.
   */
  replace(name: string, plugin: PluginEntry, options?: Readonly<Record<string, unknown>>): Promise<void>
  /** Removes a plugin. Objects of its types stay stored. */
  unload(name: string): Promise<void>
  /** The problems of a loaded plugin: failing health checks, control loops that do not run. */
  problemsOf(name: string): Promise<readonly string[]>
  /** The last lines that a plugin logged in this process, oldest first. */
  logOf(name: string): readonly string[]
  /** A process that joins a running server accepts requests after this, so that it serves what the others serve. */
  readyAfter(loading: Promise<unknown>): void
  /** Calls back when the health of an isolated plugin changes, with its name; returns a function that unsubscribes. */
  onHealth(listener: (plugin: string, health: PluginHealth) => void): () => void
}

/** Loads, replaces and unloads plugins while the server runs. For start tasks and control loops; it waits until the server has started. */
export const pluginHost = serviceToken<PluginHost>('pluginHost')
