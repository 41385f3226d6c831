import type { PluginEntry } from './config.js'

/** Objects of one type, as a client would send them, without apiVersion and kind. */
export interface TypeSamples {
  /** Makes a new valid object; name and namespace are filled in. */
  valid(): object
  /** Changes that each make a valid object invalid, by title. */
  readonly invalid?: Readonly<Record<string, (object: never) => void>>
  /** A change that is allowed on update. A label by default. */
  update?(object: never): void
}

/**
 * What a plugin module may export as `conformance`, for `orch conformance`. Without it, an empty object or a random one of
 * the schema that the server accepts has to do.
 */
export interface ConformanceSamples {
  /** By `resource.group`, or `resource` in the core group. */
  readonly samples?: Readonly<Record<string, TypeSamples>>
  /** Plugins that must be there too. */
  readonly plugins?: readonly PluginEntry[]
  /** Config keys: options of the plugin that a run needs. */
  readonly options?: Readonly<Record<string, unknown>>
}
