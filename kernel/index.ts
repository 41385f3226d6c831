/** The kernel as a library: what the binary and the test kit use. */
export { BootError } from './boot/boot-errors.js'
export {
  type CheckResult,
  type ConformanceEngine,
  type ConformanceReport,
  type ConformanceRun,
  loadConformance,
} from './conformance/load-conformance.js'
export { createKernel, type KernelRequest } from './create-kernel.js'
export { Kernel, type KernelParts, type RunningServer } from './kernel.js'
export { createLogger } from './observe/log.js'
export { realClock } from './observe/real-clock.js'
export type { OpenStore } from './storage/contract/steps.js'
export { type ContractCase, storeContract } from './storage/store-contract.js'
