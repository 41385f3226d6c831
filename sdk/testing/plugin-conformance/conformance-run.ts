import type { ConformanceSamples, IsolationSettings, PluginEntry, VendorProfile } from '../../index.js'
import type { CheckResult } from './conformance-report.js'

/** The store that the servers of a run use, when it is not the embedded one. */
export interface ConformanceEngine {
  /** Plugins that provide it. */
  readonly plugins: readonly PluginEntry[]
  /** Config keys that select it and make it start empty. Called once for every store of the run. */
  options(): Readonly<Record<string, unknown>>
}

/** What to test, and how. */
export interface ConformanceRun {
  /** An imported plugin, a package name, or a path to a .ts or .js file. */
  readonly plugin: PluginEntry
  /** The grade of isolation that it runs in; `in-process` by default. */
  readonly isolation?: IsolationSettings['grade']
  /** Paths and package names are relative to this folder; the working directory by default. */
  readonly fromDir?: string
  /** Beside, and instead of, what the module exports as `conformance`. */
  readonly given?: ConformanceSamples
  /** `orch`, `kubernetes`, or a profile of your own. */
  readonly vendor?: string | VendorProfile
  /** The storage engine; the embedded one by default. */
  readonly engine?: ConformanceEngine
  /** The first seed of random objects; 1 by default. */
  readonly seed?: number
  /** How many random objects of each type; 50 by default. */
  readonly samples?: number
  /** Only checks whose `subject: title` contains this text. */
  readonly only?: string
  /** Called after each check, in order: progress. */
  onResult?(result: CheckResult): void
}
