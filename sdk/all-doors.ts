/** Everything behind every door but testing: the one instance that the binary and all plugins share. */
export * from './admission/index.js'
export * from './client/index.js'
export * from './controllers/index.js'
export * from './core/index.js'
export * from './expressions/index.js'
export * from './files/index.js'
export * from './host/index.js'
export * from './identity/index.js'
export * from './index.js'
export * from './server/index.js'
// The test kit is a file of its own and shares these with the sdk; no door offers them.
export { fieldMatcher } from './validation/field-selectors.js'
export * from './validation/index.js'
