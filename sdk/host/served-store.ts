import type { Store } from './storage.js'
import type { BackupResult } from './store-maintenance.js'

/** The store of a server, for plugins that maintain it. Only the process of the server has it. */
export interface ServedStore {
  /** The name of its engine. */
  readonly engine: string
  /** What is stored, as the engine has it. */
  readonly store: Store
  /** The folder of the server. */
  readonly dataDir: string
  /**
   * Copies the files of an engine that keeps some into a folder, while the server goes on, and checks the copy: in a process of
   * its own where that is possible, because it takes long and needs the processor. Undefined for other engines.
   */
  readonly backUp: ((folder: string, signal: AbortSignal) => Promise<BackupResult>) | undefined
}
