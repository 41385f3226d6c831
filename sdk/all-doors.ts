/** Everything behind every door but testing: the one instance that the binary and all plugins share. */
export * from './client/index.js'
export * from './controllers/index.js'
export * from './core/index.js'
// The test kit is a file of its own and shares these with the sdk; no door offers them.
export { fieldMatcher } from './field-selectors.js'
export * from './host/index.js'
export * from './index.js'
