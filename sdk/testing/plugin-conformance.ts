import {
  type CheckResult,
  type ConformanceEngine,
  type ConformanceReport,
  type ConformanceRun,
  loadConformance,
} from '../../kernel/index.js'

export type { CheckResult, ConformanceEngine, ConformanceReport, ConformanceRun }

/**
 * Boots a server with a plugin and tries everything it registers, as `orch conformance` does: types through the whole
 * API and with random objects, access, admission controls with frozen objects, authentication with unknown credentials,
 * control loops across restarts, start and stop. Throws when the plugin does not boot.
 */
export async function pluginConformance(run: ConformanceRun): Promise<ConformanceReport> {
  return (await loadConformance()).runConformance(run)
}

/** A report as people read it: what holds, what does not, and how to see it again. */
export async function describeConformance(report: ConformanceReport): Promise<string> {
  return (await loadConformance()).textReport(report)
}
