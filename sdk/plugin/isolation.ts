import type { ControllerRule } from './controller.js'

/**
 * Where the code of a plugin runs: `in-process`, with everything the server has; `worker`, a process of its own that has what its
 * permissions name; `wasm`, a WebAssembly module that has nothing but what it is called with.
 */
export const isolationGrades = ['in-process', 'worker', 'wasm'] as const
/** One of the grades of isolation. */
export type IsolationGrade = (typeof isolationGrades)[number]

/** How a plugin is isolated, and what it may use at most. */
export interface IsolationSettings {
  readonly grade: IsolationGrade
  /** How long a call may take, in milliseconds: 5000 by default. One that takes longer ends the process, which is started again. */
  readonly callTimeoutMs?: number
  /** Memory of its heap, in megabytes: 256 by default. The whole process may use 128 more. */
  readonly memoryMegabytes?: number
  /** Calls that may wait for an answer at the same time: 1000 by default. Further ones fail at once. */
  readonly maxInflightCalls?: number
}

/**
 * What a plugin does beyond its contributions. Shown by `orch plugins`; enforced where the plugin is isolated. What is not named is
 * not allowed there.
 */
export interface PluginPermissions {
  /** What its client may do outside of control loops, which have `rules` of their own. */
  readonly resources?: readonly ControllerRule[]
  /** Hosts that it connects to: `api.example.com:443`, or `*.example.com` for any port. */
  readonly network?: readonly string[]
  /** Files and folders (absolute) beside its own package. */
  readonly files?: { readonly read?: readonly string[]; readonly write?: readonly string[] }
  /** Variables of the environment of the server that it sees. */
  readonly environment?: readonly string[]
  /** May it start other programs? They are not bound by any of this. */
  readonly childProcesses?: boolean
  /** Services of other plugins that it uses, by name. */
  readonly services?: readonly string[]
}

/**
 * What becomes of a request when an isolated plugin does not answer: `Fail` refuses it (503), `Ignore` goes on without the plugin's
 * admission controls.
 */
export type FailurePolicy = 'Fail' | 'Ignore'
