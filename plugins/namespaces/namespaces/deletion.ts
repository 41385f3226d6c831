import type { DeleteStrategy } from 'orch/sdk'
import { type Namespace, terminating } from './schema.js'

/** A deleted namespace stays until its contents are gone and its finalizers are removed through `finalize`. */
export const deletion = {
  onDeletionStart(draft) {
    draft.status = { ...draft.status, phase: terminating }
    // Nothing waits for a namespace: it goes when it is empty.
    delete draft.metadata?.deletionGracePeriodSeconds
  },
  // Whoever deletes a namespace sees it terminating first, whatever its finalizers are.
  inTwoSteps: true,
  isHeld: ({ spec }) => (spec?.finalizers ?? []).length > 0,
} satisfies DeleteStrategy<Namespace>
