import type { Strategy } from 'orch/sdk'
import type { Namespace } from 'orch/sdk/core'
import { validateStatus } from './validation.js'

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: validateStatus,
  resetFields: ['spec'],
} satisfies Strategy<Namespace>
