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
  /** Whether clients may set the status of a new object, as a node that registers itself does. */
  readonly mayCreateStatus?: boolean
}

/** What `orch conformance` needs to know about a plugin. */
export interface ConformanceSamples {
  /**
   * By `resource.group`, or `resource` in the core group. Objects of other plugins' types are useful where admission controls of this one
   * check them. Without a sample, an empty object or a random one that the server accepts is used.
   */
  readonly samples?: Readonly<Record<string, TypeSamples>>
  /**
   * Objects that must exist first, with apiVersion and kind. Namespaced ones are created in the namespace
   * `conformance`.
   */
  readonly objects?: readonly ApiObject[]
  /** Plugins that must be enabled in addition to those it requires. */
  readonly plugins?: readonly PluginEntry[]
  /** Config keys: options of the plugin that a run needs. */
  readonly options?: Readonly<Record<string, unknown>>
}

/**
 * What a plugin module may export as `conformance`: samples, or a function that makes them if names depend on the
 * vendor. The folder is for files that options refer to; it is removed after the run.
 */
export type PluginSamples = ConformanceSamples | ((vendor: Vendor, folder: string) => ConformanceSamples)
