import type { PluginEntry } from '../../plugin/config.js'
import type { VendorProfile } from '../../plugin/vendor.js'
import type { ApiObject } from '../../resource/meta.js'
import type { ResourceDefinition } from '../../resource/resource.js'
import type { TestServer } from '../start-server.js'

/** What the battery must know about a type. Samples are what a client would send, without apiVersion and kind. */
export interface ConformanceRequest<T extends object = ApiObject> {
  readonly resource: ResourceDefinition
  /** Makes a new valid object; the battery fills in name and namespace. */
  valid(): Partial<T>
  /** Changes that each make a valid object invalid, by title. */
  readonly invalid?: Readonly<Record<string, (object: T) => void>>
  /** A change that is allowed on update. A label by default. */
  update?(object: T): void
  /** May clients set the status of a new object, as a node that registers itself does? */
  readonly mayCreateStatus?: boolean
  /** Plugins that must be there too. The type itself is registered by the battery unless one of them brings it. */
  readonly plugins?: readonly PluginEntry[]
  /** True when one of `plugins` brings the type. */
  readonly isRegistered?: boolean
  readonly vendor?: string | VendorProfile
  /** Further config keys. */
  readonly options?: Readonly<Record<string, unknown>>
  /** A running server to use instead, with the type and a namespace `conformance`. It is yours to stop. */
  server?(): Promise<TestServer>
}

/** One check, to be run by any test runner. */
export interface ConformanceCase {
  /** A sentence about behaviour. */
  readonly name: string
  run(): Promise<void>
}
