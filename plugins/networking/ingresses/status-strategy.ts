import type { Strategy } from 'orch/sdk'
import type { Ingress } from './schema.js'
import { validateIngressStatus } from './validation.js'

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
    draft.metadata = { ...draft.metadata, generation: stored.metadata?.generation }
  },
  validateUpdate: validateIngressStatus,
  resetFields: ['spec'],
} satisfies Strategy<Ingress>
