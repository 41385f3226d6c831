export type { CheckResult, ConformanceEngine, ConformanceReport, ConformanceRun } from './index.js'

/** Loaded when it is asked for: it stands on the test kit, which stands on the kernel. */
export const loadConformance = () => import('./index.js')
