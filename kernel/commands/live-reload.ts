import { isDeepStrictEqual } from 'node:util'
import { orderChain } from '../admission/chain-order.js'
import { type DiscoveredPlugin, discoverPlugins } from '../boot/discover-plugins.js'
import { forgetModules } from '../boot/forget-modules.js'
import { type LoadedConfig, loadConfig } from '../boot/load-config.js'
import { BootError } from '../contracts/boot-errors.js'
import { peekFlag } from '../options/parse-flags.js'
import type { Kernel } from '../server/kernel.js'
import type { BootedFromWords } from './boot-from-argv.js'
import type { CommandLine } from './command-line.js'
import { describePlugins } from './describe-plugins.js'
import { report } from './report-failure.js'

/** The message of `serve --watch` to the server: files that were saved. */
export interface SavedFiles {
  readonly saved: readonly string[]
}
/** The reply of the server. */
export type ReloadAnswer =
  /** The plugins as they are now, as `orch plugins` shows them; undefined if none of them uses these files. */
  | { readonly is: 'reloaded'; readonly plugins: string | undefined }
  /** The sources cannot be used, and the server continues with the previous ones. */
  | { readonly is: 'refused'; readonly problems: string }
  /** The change requires a restart. */
  | { readonly is: 'restart' }

/** Codes of problems that a restart solves. */
const needsStart = ['ORCH_PLUGIN_NOT_LIVE', 'ORCH_PLUGIN_HOST_UNAVAILABLE']

/** Replaces the plugins of a running server whose sources were saved, and only those. */
export class LiveReload {
  readonly #kernel: Kernel
  readonly #booted: BootedFromWords
  readonly #line: CommandLine
  #loaded: LoadedConfig

  constructor(kernel: Kernel, booted: BootedFromWords, line: CommandLine) {
    this.#kernel = kernel
    this.#booted = booted
    this.#line = line
    this.#loaded = booted.loaded
  }

  async reload(message: unknown): Promise<ReloadAnswer> {
    try {
      const saved = savedIn(message)
      const isUsed = forgetModules(saved) > 0
      const loaded = await loadConfig(peekFlag(this.#line.words, 'config'), this.#line.workingDir)
      // Workers load plugins themselves when they start.
      const hasWorkers = this.#booted.kernelOptions.workers !== 1
      if (hasWorkers || !isDeepStrictEqual(withoutPlugins(loaded), withoutPlugins(this.#loaded)))
        return { is: 'restart' }
      const { plugins, problems } = await discoverPlugins(loaded.config.plugins, loaded.dir)
      if (problems.length > 0) throw new BootError(problems)
      const hasChanged = await this.#follow(plugins)
      this.#loaded = loaded
      // A data file may be read by a plugin itself; a source that is not imported, such as a test, has no effect.
      if (!hasChanged && !isUsed && saved.some(file => file.endsWith('.json'))) return { is: 'restart' }
      return { is: 'reloaded', plugins: hasChanged ? this.#describe() : undefined }
    } catch (thrown) {
      if (thrown instanceof BootError && thrown.problems.some(({ code }) => needsStart.includes(code)))
        return { is: 'restart' }
      let problems = ''
      report(thrown, { err: text => (problems += text) })
      return { is: 'refused', problems }
    }
  }

  /** Loads, replaces and unloads plugins of the server until they are those of the config. */
  async #follow(wanted: readonly DiscoveredPlugin[]): Promise<boolean> {
    const { plugins: host } = this.#kernel
    const names = new Set(wanted.map(({ definition }) => definition.name))
    // Plugins that others require are unloaded last.
    const gone = host.configured.filter(({ definition }) => !names.has(definition.name)).toReversed()
    const changed = wanted.filter(plugin => !isSame(plugin, host.definitionOf(plugin.definition.name)))
    for (const { definition } of gone) await host.configure(definition.name, undefined)
    for (const plugin of changed) await host.configure(plugin.definition.name, plugin)
    return gone.length + changed.length > 0
  }

  #describe(): string {
    return describePlugins(this.#booted, orderChain(this.#booted.registry.admissions, this.#booted.kernelOptions))
  }
}

/** Modules that were not reloaded still have the same definition. */
const isSame = (plugin: DiscoveredPlugin, running: DiscoveredPlugin | undefined): boolean =>
  plugin.definition === running?.definition && isDeepStrictEqual(plugin.given, running.given)

const savedIn = (message: unknown): readonly string[] =>
  typeof message === 'object' && message !== null && 'saved' in message && Array.isArray(message.saved)
    ? message.saved.map(String)
    : []

const withoutPlugins = ({ config: { plugins: _, ...rest } }: LoadedConfig) => rest
