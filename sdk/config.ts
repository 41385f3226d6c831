import type { ConfiguredPlugin, Plugin } from './plugin.js'
import type { VendorProfile } from './vendor.js'

/** An entry of `plugins`: an imported plugin (with or without options), a package name, or a path to a .ts or .js file. */
// biome-ignore lint/suspicious/noExplicitAny: plugins with different options stand in one list
export type PluginEntry = Plugin<any> | ConfiguredPlugin | string

/**
 * The configuration of a server. Every key that is not listed here belongs to a plugin option of that name
 * (`tokenAuthFile` is `--token-auth-file`), so that flags and config keys are the same thing.
 */
export interface OrchConfig {
  /** `orch`, `kubernetes`, or a profile of your own. */
  readonly vendor?: string | VendorProfile
  readonly plugins: readonly PluginEntry[]
  readonly dataDir?: string
  readonly bindAddress?: string
  readonly securePort?: number
  readonly [option: string]: unknown
}

/** Declares a configuration; the default export of orch.config.ts. */
export const defineConfig = (config: OrchConfig): OrchConfig => config
