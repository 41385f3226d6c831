import type { Strategy } from 'orch/sdk'
import type { ResourceQuota } from './schema.js'
import { validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from './validation.js'

/** Clients say how much; what is used is counted by the server. */
export const mainStrategy = {
  prepareForCreate(draft) {
    draft.status = {}
  },
  prepareForUpdate(draft, stored) {
    draft.status = stored.status
  },
  validate: (quota, { vendor }) => validateResourceQuota(quota, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateResourceQuotaUpdate(sent, stored, vendor),
  resetFields: ['status'],
} satisfies Strategy<ResourceQuota>

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: (sent, _, { vendor }) => validateResourceQuotaStatus(sent, vendor),
  resetFields: ['spec'],
} satisfies Strategy<ResourceQuota>
