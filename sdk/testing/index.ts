/** What tests of plugins may use. */
export * from './admit.js'
export * from './fake-api.js'
export * from './fake-clock.js'
export * from './fake-collections.js'
export * from './fake-logger.js'
export * from './resource-conformance.js'
export * from './start-server.js'
export * from './test-certificates.js'
