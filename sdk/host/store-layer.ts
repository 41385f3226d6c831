import type { Clock, Logger, Metrics } from '../plugin/basic-services.js'
import type { Store } from './storage.js'

/** What a layer may use. The store is opened before any service is there. */
export interface StoreLayerContext {
  readonly clock: Clock
  readonly logger: Logger
  /** There in a server, not in commands. */
  readonly metrics?: Metrics
}

/** One finding of an engine or a layer, for `orch doctor`. */
export interface LayerFinding {
  /** `wrong` keeps objects from being read or written; a `warning` will do so eventually. */
  readonly grade: 'fine' | 'warning' | 'wrong'
  readonly what: string
  /** How to fix it. */
  readonly remedy?: string
}

/**
 * A layer between the kernel and the storage engine that stores objects in another form: encrypted, for instance. What the kernel reads,
 * lists, watches and writes goes through it; backups and what engines do to their files do not.
 */
export interface StoreLayerDefinition {
  readonly name: string
  /**
   * Called once for every process that opens the store, also for commands, before anything is read. A layer that has nothing to
   * do there returns the store that it was given, and costs nothing. Closing what it returns must close that store.
   */
  wrap(store: Store, context: StoreLayerContext): Store | Promise<Store>
  /**
   * For `orch doctor`: would this layer read and write what is in the store? It changes nothing. `store` is what the engine has, or
   * undefined where there is no store yet, or none that can be opened.
   */
  examine?(store: Pick<Store, 'get'> | undefined, context: StoreLayerContext): Promise<readonly LayerFinding[]>
}
/**
 * Declares a layer; hand it to `to.storeLayer`. Extend `ForwardingStore`; `storeContract` of the testing kit tests it on top of an engine.
 */
export const defineStoreLayer = (definition: StoreLayerDefinition): StoreLayerDefinition => definition
