import { isDeepStrictEqual } from 'node:util'
import type { ObjectMeta } from 'orch/sdk'

interface Versioned {
  metadata?: ObjectMeta
  readonly spec?: unknown
}

/** A new object is of the first generation. */
export function startGeneration(draft: Versioned): void {
  draft.metadata = { ...draft.metadata, generation: 1 }
}

/** A changed spec begins the next generation; nothing else does. */
export function nextGeneration(draft: Versioned, stored: Versioned): void {
  const isSame = isDeepStrictEqual(draft.spec, stored.spec)
  draft.metadata = { ...draft.metadata, generation: (stored.metadata?.generation ?? 0) + (isSame ? 0 : 1) }
}
