/** The suite that every storage engine must pass; the kernel runs it against the embedded one. */
export { type ContractCase, type OpenStore, storeContract } from '../../kernel/index.js'
