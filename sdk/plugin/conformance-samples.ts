import type { ApiObject } from '../resource/meta.js'
import type { PluginEntry } from './config.js'
import type { Vendor } from './vendor.js'

/** Objects of one type, as a client would send them, without apiVersion and kind. */
export interface TypeSamples {
  /** Makes a new valid object; name and namespace are filled in. */
  valid(): object
  /** Changes that each make a valid object invalid, by title. */
  readonly invalid?: Readonly<Record<string, (object: never) => void>>
  /** A change that is allowed on update. A label by default. */
  update?(object: never): void
  /** May clients set the status of a new object, as a node that registers itself does? */
  readonly mayCreateStatus?: boolean
}

/** What `orch conformance` should know about a plugin. */
export interface ConformanceSamples {
  /**
   * By `resource.group`, or `resource` in the core group. Objects of other plugins' types are useful where admission controls of this one
   * check them. Without a sample, an empty object or a random one that the server accepts is used.
   */
  readonly samples?: Readonly<Record<string, TypeSamples>>
  /** Objects that must be there first, with apiVersion and kind. Namespaced ones are made in the namespace `conformance`. */
  readonly objects?: readonly ApiObject[]
  /** Plugins that must be there too, beside those it requires. */
  readonly plugins?: readonly PluginEntry[]
  /** Config keys: options of the plugin that a run needs. */
  readonly options?: Readonly<Record<string, unknown>>
}

/**
 * What a plugin module may export as `conformance`: samples, or what makes them where names depend on the vendor. The folder
 * is there for files that options name; it is removed after the run.
 */
export type PluginSamples = ConformanceSamples | ((vendor: Vendor, folder: string) => ConformanceSamples)
