import { badRequest } from 'orch/sdk'
import { exceedsDepth } from '../../libs/json/index.js'

/** No object nests this deep; merging is recursive, so a patch that does would only exhaust the stack. */
const maxDepth = 1_000

/** Refuses a patch that nests too deep. */
export function refuseDeepNesting(patch: unknown): void {
  if (exceedsDepth(patch, maxDepth)) throw badRequest(`error decoding patch: exceeded max depth of ${maxDepth}`)
}
