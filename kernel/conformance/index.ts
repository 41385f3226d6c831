/** Conformance of plugins, as a library. */
export { type CheckResult, type ConformanceReport, junitReport, textReport } from './conformance-report.js'
export { type ConformanceRun, runConformance } from './run-conformance.js'
