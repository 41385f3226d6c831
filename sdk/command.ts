import type { Store, StoreMaintenance, VersionCounts } from './storage.js'

/** A subcommand of the binary. */
export interface CommandDefinition {
  readonly name: string
  /** How it is called, for `orch help NAME`: `storage stats|verify [flags]`. The name alone when left out. */
  readonly usage?: string
  readonly summary: string
  /** Resolves to the exit code. `argv` is what follows the name. */
  run(argv: readonly string[], context: CommandContext): Promise<number>
}

/** What a command may touch outside itself. */
export interface CommandContext {
  out(text: string): void
  err(text: string): void
  /** Paths that the user gives are relative to this folder. */
  readonly workingDir: string
  readonly host: CommandHost
}

/** What the program that runs a command knows and can open for it. Failures are thrown; the binary reports them. */
export interface CommandHost {
  /** The folder of the installed orch package. */
  readonly packageRoot: string
  /** Which store flags and config name. Loads no plugin, so it answers where a server does not start. */
  locateStore(flags: readonly string[]): Promise<StorePlace>
  /** Boots the plugins that flags and config name and opens their store while `work` runs. Takes all flags of `orch serve`. */
  withStore<T>(flags: readonly string[], purpose: StorePurpose, work: (opened: OpenedStore) => Promise<T>): Promise<T>
}

/** Where a store is. */
export interface StorePlace {
  /** The name of its engine. */
  readonly engine: string
  /** Care for its files; undefined when a plugin brings the engine: such a store is reached through `withStore` alone. */
  readonly maintenance?: StoreMaintenance
}

/** What a store is opened for. */
export interface StorePurpose {
  /** For messages to others who want the same folder, such as `orch storage export`. */
  readonly what: string
  /** A `reader` works beside servers; `maintenance` needs the data folder of the embedded engine for itself. */
  readonly role: 'reader' | 'maintenance'
  /** May it be made anew? Otherwise a folder without a store, mistyped perhaps, is an error. False by default. */
  readonly mayCreate?: boolean
}

/** A store, and what knowing the types of the plugins adds to it. */
export interface OpenedStore {
  readonly engine: string
  readonly store: Store
  versionCounts(): Promise<VersionCounts>
  /** Writes every object in the storage version of its type. `left` were written in other versions meanwhile. */
  migrate(progress: (done: number, all: number) => void): Promise<{ count: number; left: number }>
}
