/** The steps of the contract suite, for the embedded engine's own tests. */
export * from '../../sdk/testing/store-contract/steps.js'
