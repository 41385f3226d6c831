import type { Store, StorePeers } from './storage.js'
import type { LayerFinding } from './store-layer.js'
import type { StoreMaintenance } from './store-maintenance.js'
import type { OpenReplica } from './store-replica.js'

/** Declares a storage engine, chosen by `storage.engine` in the config. */
export interface StorageDefinition {
  readonly name: string
  /**
   * Whether several servers may use one store at a time. They then elect one that runs the control loops. False by
   * default.
   */
  readonly isShared?: boolean
  /** Whether it keeps files in the data folder. The folder is then for one server at a time. True by default. */
  readonly keepsFiles?: boolean
  /**
   * An option that was given and makes sense only with this engine. Where the engine was not chosen the server does not start:
   * it would serve an empty store, and keep what is written elsewhere.
   */
  readonly meantBy?: string
  open(options: {
    dataDir: string
    historyMs: number
    now: () => number
    warn: (message: string) => void
    /** Logs progress. */
    info?: (message: string) => void
    /**
     * A local copy, for an engine whose store is on other machines. Absent where it is not worth its cost, as for a
     * command.
     */
    openReplica?: OpenReplica
    /**
     * Set when the server consists of several processes. An engine that is notified of commits by its store does not
     * need it.
     */
    peers?: StorePeers
  }): Promise<Store>
  /**
   * For `orch doctor`, for an engine whose store is on other machines: checks whether it can be reached and is healthy.
   * It changes nothing, and takes a few seconds at most. The store is opened afterwards, unless something is wrong;
   * without this it is not.
   */
  examine?(): Promise<readonly LayerFinding[]>
  /** Maintenance of the files of a store, offline or beside a running server; for engines that keep them in the data folder. */
  maintain?(dataDir: string): Promise<StoreMaintenance>
}
/** Declares a storage engine; hand it to `to.storage`. `storeContract` of the testing kit tests it. */
export const defineStorage = (definition: StorageDefinition): StorageDefinition => definition
