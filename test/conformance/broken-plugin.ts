import type { ConformanceSamples, Plugin } from 'orch/sdk'

/** A plugin with one defect, and the check that finds it. */
export interface BrokenPlugin {
  readonly plugin: Plugin
  /** Part of the title of the check. */
  readonly finds: string
  readonly says: RegExp | readonly RegExp[]
  /** Instead of the samples of gadgets. */
  readonly given?: ConformanceSamples
  /** Closes what the plugin leaves open. */
  cleanUp?(): void
}
