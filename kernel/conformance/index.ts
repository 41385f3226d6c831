/** Conformance of plugins, as a library. */
export {
  type CheckResult,
  type ConformanceReport,
  failuresIn,
  junitReport,
  resultLines,
  summaryOf,
  textReport,
} from './conformance-report.js'
export type { ConformanceEngine, ConformanceRun } from './conformance-run.js'
export { runConformance } from './run-conformance.js'
