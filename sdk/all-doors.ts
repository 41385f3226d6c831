/** Everything behind every door but testing: the one instance that the binary and all plugins share. */
export * from './client/index.js'
export * from './controllers/index.js'
export * from './core/index.js'
export * from './host/index.js'
export * from './index.js'
