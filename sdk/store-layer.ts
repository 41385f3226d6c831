import type { Clock, Logger, Metrics } from './basic-services.js'
import type { Store } from './storage.js'

/** What a layer may use. The store is opened before any service is there. */
export interface StoreLayerContext {
  readonly clock: Clock
  readonly logger: Logger
  /** There in a server, not in commands. */
  readonly metrics?: Metrics
}

/**
 * Declares something between the kernel and whichever engine stores, which keeps objects in another form: encrypted, for
 * instance. What the kernel reads, lists, watches and writes goes through it; backups and what engines do to their files do not.
 */
export interface StoreLayerDefinition {
  readonly name: string
  /**
   * Called once for every process that opens the store, also for commands, before anything is read. A layer that has nothing to
   * do there returns the store that it was given, and costs nothing. Closing what it returns must close that store.
   */
  wrap(store: Store, context: StoreLayerContext): Store | Promise<Store>
}
/** Declares a layer; hand it to `to.storeLayer`. Extend `ForwardingStore`; `storeContract` of the testing kit tries it over an engine. */
export const defineStoreLayer = (definition: StoreLayerDefinition): StoreLayerDefinition => definition
