import type { ControllerRule } from './controller.js'

/**
 * Where the code of a plugin runs: `in-process`, with all privileges of the server; `worker`, a separate process with
 * the access that its permissions name; `wasm`, a WebAssembly module with no access to anything but its input.
 */
export const isolationGrades = ['in-process', 'worker', 'wasm'] as const
/** One of the grades of isolation. */
export type IsolationGrade = (typeof isolationGrades)[number]

/** How a plugin is isolated, and its resource limits. */
export interface IsolationSettings {
  readonly grade: IsolationGrade
  /**
   * How long a call may take, in milliseconds: 5000 by default. If one takes longer, the process is killed and
   * restarted.
   */
  readonly callTimeoutMs?: number
  /** The heap limit, in megabytes: 256 by default. The whole process may use 128 more. */
  readonly memoryMegabytes?: number
  /** Calls that may be pending at the same time: 1000 by default. Further ones fail immediately. */
  readonly maxInflightCalls?: number
  /** How long loading and registering it may take, in milliseconds: 20000 by default. */
  readonly startTimeoutMs?: number
  /** The delay before a process that failed is restarted, in milliseconds: 250 by default. It doubles with every failure, up to a minute. */
  readonly restartDelayMs?: number
}

/**
 * What a plugin does beyond its contributions. Shown by `orch plugins`; enforced if the plugin is isolated, where
 * everything else is denied.
 */
export interface PluginPermissions {
  /** What its client may access outside of control loops, which have their own `rules`. */
  readonly resources?: readonly ControllerRule[]
  /** Hosts that it connects to: `api.example.com:443`, or `*.example.com` for any port. */
  readonly network?: readonly string[]
  /** Files and folders (absolute paths) in addition to its own package. */
  readonly files?: { readonly read?: readonly string[]; readonly write?: readonly string[] }
  /** Environment variables of the server that it may see. */
  readonly environment?: readonly string[]
  /** Whether it may start child processes, to which these limits do not apply. */
  readonly childProcesses?: boolean
  /** Services of other plugins that it uses, by name. */
  readonly services?: readonly string[]
}

/**
 * What happens to a request when an isolated plugin does not answer: `Fail` rejects it (503), `Ignore` continues
 * without the plugin's admission controls.
 */
export type FailurePolicy = 'Fail' | 'Ignore'
