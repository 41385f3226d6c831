import { badRequest } from 'orch/sdk'

/** No object nests this deep; merging is recursive, so a patch that does would only exhaust the stack. */
const maxDepth = 1_000

/** Refuses a patch that nests too deep. */
export function refuseDeepNesting(patch: unknown): void {
  let level: unknown[] = [patch]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw badRequest(`error decoding patch: exceeded max depth of ${maxDepth}`)
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const each of Object.values(value)) if (typeof each === 'object' && each !== null) next.push(each)
    }
    level = next
  }
}
