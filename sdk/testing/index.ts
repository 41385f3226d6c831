/** What tests of plugins may use. */
export * from './admit.js'
export * from './fake-api.js'
export * from './fake-clock.js'
export * from './fake-collections.js'
export * from './fake-logger.js'
export * from './fake-metrics.js'
export { generateObjects, type ObjectGenerator } from './generate/generate-objects.js'
export { type InvalidNeighbour, invalidNeighbours } from './generate/invalid-neighbours.js'
export type { WebhookInstallation } from './install-webhooks.js'
export * from './make-namespace.js'
export * from './open-replica.js'
export {
  type CheckResult,
  type ConformanceReport,
  describeCheck,
  describeConformance,
  describeFailures,
  junitReport,
} from './plugin-conformance/conformance-report.js'
export type { ConformanceEngine, ConformanceRun } from './plugin-conformance/conformance-run.js'
export { pluginConformance } from './plugin-conformance/run-conformance.js'
export * from './plugin-types.js'
export type { ManifestSource } from './read-manifests.js'
export * from './resource-conformance.js'
export * from './schema-errors.js'
export * from './start-server.js'
export type { OpenStore } from './store-contract/steps.js'
export { type ContractCase, type StoreFeatures, storeContract } from './store-contract/store-contract.js'
export * from './strategy-steps.js'
export * from './take-service.js'
export * from './test-certificates.js'
export type { TestUser, TestUserRequest } from './test-users.js'
export * from './work-here.js'
