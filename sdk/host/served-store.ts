import type { Store } from './storage.js'
import type { BackupResult } from './store-maintenance.js'

/** The store of a server, for plugins that maintain it. Only the server process has it. */
export interface ServedStore {
  /** The name of its engine. */
  readonly engine: string
  /** The store as the engine has it, without layers. */
  readonly store: Store
  /** The folder of the server. */
  readonly dataDir: string
  /**
   * Copies the files of a file-based engine into a folder while the server keeps running, and checks the copy: in a
   * separate process where possible, because that takes long and uses CPU. Undefined for other engines.
   */
  readonly backUp: ((folder: string, signal: AbortSignal) => Promise<BackupResult>) | undefined
}
