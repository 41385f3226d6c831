import type { DeleteStrategy } from 'orch/sdk'
import { type Namespace, terminatingPhase } from 'orch/sdk/core'

/** A deleted namespace stays until its contents are gone and its finalizers are removed through `finalize`. */
export const deletion = {
  onDeletionStart(draft) {
    draft.status = { ...draft.status, phase: terminatingPhase }
    // Nothing waits for a namespace: it goes when it is empty.
    delete draft.metadata?.deletionGracePeriodSeconds
  },
  // Whoever deletes a namespace sees it terminating first, whatever its finalizers are.
  inTwoSteps: true,
  blocksDeletion: ({ spec }) => (spec?.finalizers ?? []).length > 0,
} satisfies DeleteStrategy<Namespace>
