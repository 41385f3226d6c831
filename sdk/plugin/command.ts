import type { Store } from '../host/storage.js'
import type { LayerFinding } from '../host/store-layer.js'
import type { StoreMaintenance, VersionCounts } from '../host/store-maintenance.js'

/** A subcommand of the binary. */
export interface CommandDefinition {
  /** One word, or several for an addition to the command of another plugin: `storage reencrypt`. The longest that fits is run. */
  readonly name: string
  /** The usage line for `orch help NAME`: `storage stats|verify [flags]`. Just the name if omitted. */
  readonly usage?: string
  readonly summary: string
  /** Resolves to the exit code. `argv` is what follows the name. */
  run(argv: readonly string[], context: CommandContext): Promise<number>
}

/** The input and output of a command. */
export interface CommandContext {
  out(text: string): void
  err(text: string): void
  /** Paths given by the user are relative to this folder. */
  readonly workingDir: string
  readonly host: CommandHost
  /** Asks the person at the terminal, and resolves to a line; undefined if there is nobody to ask. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
}

/** What the program that runs a command knows and can open for it. Failures are thrown; the binary reports them. */
export interface CommandHost {
  /** The folder of the installed orch package. */
  readonly packageRoot: string
  /** The command line that starts this program: the executable, its options and the script. */
  readonly program: readonly string[]
  /**
   * Does what `orch serve` does with these flags and the default configuration of the package, without the output for people. Resolves to
   * the exit code when a signal or `stop` has ended it.
   */
  serve(flags: readonly string[], observer?: ServeObserver): Promise<number>
  /** The variables that this program was started with. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * The options that flags and config result in, and the problems that would prevent a start. Loads the plugins; opens and creates nothing.
   */
  inspect(flags: readonly string[]): Promise<ServerInspection>
  /**
   * The findings of the engine and of the layers of plugins about a store, and the metadata of the store. For flags with which `inspect`
   * finds no problem.
   */
  examineStore(flags: readonly string[]): Promise<readonly LayerFinding[]>
  /** Which store flags and config name. Loads no plugin, so it answers where a server does not start. */
  locateStore(flags: readonly string[]): Promise<StorePlace>
  /** Boots the plugins that flags and config name and opens their store while `work` runs. Takes all flags of `orch serve`. */
  withStore<T>(flags: readonly string[], purpose: StorePurpose, work: (opened: OpenedStore) => Promise<T>): Promise<T>
}

/** What a server would be started with. */
export interface ServerInspection {
  /** The problems that would prevent the start, each with its remedy. */
  readonly problems: readonly { readonly code: string; readonly message: string }[]
  /** Where the config came from. */
  readonly configPath: string
  /** The values of all options of the kernel and of the plugins, by config key. Those that are wrong may be missing. */
  readonly options: Readonly<Record<string, unknown>>
}

/** A running server, for programs that wait for it. `orch serve --ready-file` writes this as JSON. */
export interface ReadyServer {
  /** The address for clients on this machine, such as `https://127.0.0.1:6443`. */
  readonly address: string
  readonly port: number
  /** PEM of the authorities to check its certificate against; null without TLS. */
  readonly ca: string | null
  /** The client config of an administrator: a path. */
  readonly kubeconfig: string
  readonly pid: number
}

/** A server in this process. */
export interface ServedHere extends ReadyServer {
  /** The names that --enable-admission-plugins and --disable-admission-plugins accept. */
  readonly admissionControls: readonly string[]
  /** The names that --feature-gates accepts. */
  readonly featureGates: readonly string[]
  /** Stops it as a signal would. */
  stop(): void
}

/** Callbacks of the caller that starts a server. */
export interface ServeObserver {
  /** Requests are served. An error thrown here stops the server. */
  whenReady?(server: ServedHere): void | Promise<void>
  /** Receives the log lines instead of standard error. */
  log?(line: string): void
}

/** Where a store is. */
export interface StorePlace {
  /** The name of its engine. */
  readonly engine: string
  /** Maintenance of its files; undefined when a plugin brings the engine: such a store can only be opened with `withStore`. */
  readonly maintenance?: StoreMaintenance
}

/** What a store is opened for. */
export interface StorePurpose {
  /** Shown to other processes that want the same folder, such as `orch storage export`. */
  readonly what: string
  /** A `reader` works beside servers; `maintenance` needs exclusive use of the embedded engine's data folder. */
  readonly role: 'reader' | 'maintenance'
  /** Whether it may be created. Otherwise a folder without a store (perhaps a typo) is an error. False by default. */
  readonly mayCreate?: boolean
}

/** A store, with the operations that need the types of the plugins. */
export interface OpenedStore {
  readonly engine: string
  /** As the kernel sees it, through the layers of plugins. */
  readonly store: Store
  /** As the engine stores it, in the form that the layers wrote. */
  readonly stored: Store
  versionCounts(): Promise<VersionCounts>
  /** What `migrate` would do. Rejects, like it, when objects are stored in versions that no plugin knows. */
  plan(): Promise<MigrationPlan>
  /**
   * Rewrites every object in the storage version of its type. `left` counts objects that were written in other versions
   * meanwhile.
   */
  migrate(progress: (done: number, all: number) => void): Promise<{ count: number; left: number }>
}

/** What has to change in a store to bring it to the format of this version. */
export interface MigrationPlan {
  /** The format of the store, and the one that this version writes. */
  readonly format: { readonly stored: number; readonly current: number }
  /** Objects that are stored in another version than that of their type, by resource. */
  readonly outdated: readonly { readonly resource: string; readonly count: number; readonly to: string }[]
}
