import type { Strategy } from 'orch/sdk'
import type { PersistentVolume } from './schema.js'

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  resetFields: ['spec'],
} satisfies Strategy<PersistentVolume>
