/** A call of a module that did not return a usable reply. The message names the function and the reason. */
export class WasmFailure extends Error {}
