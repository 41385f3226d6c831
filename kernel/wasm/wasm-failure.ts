/** A call of a module that did not end with an answer that can be used. The message says which function, and why. */
export class WasmFailure extends Error {}
