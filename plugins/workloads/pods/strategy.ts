import { strategyForSpec } from 'orch/sdk'
import { dropFormerAnnotations, dropUnservedFields, type Pod, podWarnings, qualityOfService } from 'orch/sdk/core'
import { alignSeccomp } from './seccomp-annotations.js'
import { validatePodUpdate } from './update-validation.js'
import { validateNewPod } from './validation.js'

/** Clients write metadata and spec; the status belongs to the node agent. */
export const mainStrategy = strategyForSpec<Pod>({
  newStatus: draft => ({ phase: 'Pending', qosClass: qualityOfService(draft.spec) }),
  prepareForCreate(draft, { vendor }) {
    dropUnservedFields(draft.spec)
    dropFormerAnnotations(draft, vendor)
    alignSeccomp(draft, vendor)
  },
  prepareForUpdate(draft, stored, { vendor }) {
    dropFormerAnnotations(draft, vendor)
    dropUnservedFields(draft.spec, stored.spec)
  },
  validate: (pod, { vendor }) => validateNewPod(pod, vendor),
  validateUpdate: (sent, stored, { vendor }) => validatePodUpdate(sent, stored, vendor),
  // Later writers are mostly components, which nobody reads warnings of.
  warnings: (pod, stored, { vendor }) => (stored ? [] : podWarnings(pod, vendor)),
})
