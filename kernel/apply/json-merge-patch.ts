import { applyMergePatch } from '../../libs/json-patch/index.js'

/** A JSON Merge Patch as a request has it. */
export function jsonMergePatch(target: unknown, patch: unknown): unknown {
  return applyMergePatch(target, patch)
}
