import { applyMergePatch } from '../../libs/json-patch/index.js'
import { refuseDeepNesting } from './nesting-limit.js'

/** A JSON Merge Patch as a request has it. */
export function jsonMergePatch(target: unknown, patch: unknown): unknown {
  refuseDeepNesting(patch)
  return applyMergePatch(target, patch)
}
