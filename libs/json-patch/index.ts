export { JsonPatchError, type JsonPatchProblem } from './errors.js'
export { applyJsonPatch, maxJsonPatchOperations } from './json-patch.js'
export { applyMergePatch } from './merge-patch.js'
