import type { Strategy } from 'orch/sdk'
import type { PersistentVolumeClaim } from './schema.js'
import { validateClaimStatus } from './validation.js'

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
    // How an expansion that failed is taken back is not decided yet; who relies on it would be surprised.
    if (draft.status && !stored.status?.allocatedResources) delete draft.status.allocatedResources
    if (draft.status && !stored.status?.resizeStatus) delete draft.status.resizeStatus
  },
  validateUpdate: validateClaimStatus,
  resetFields: ['spec'],
} satisfies Strategy<PersistentVolumeClaim>
