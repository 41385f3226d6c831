import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import type { ResourceQuota } from './schema.js'
import { validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from './validation.js'

/** Clients say how much; what is used is counted by the server. */
export const mainStrategy = strategyForSpec<ResourceQuota>({
  newStatus: () => ({}),
  validate: (quota, { vendor }) => validateResourceQuota(quota, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateResourceQuotaUpdate(sent, stored, vendor),
  metadataChecks: { change: 1, object: 0 },
})

export const statusStrategy = strategyForStatus<ResourceQuota>({
  validateUpdate: (sent, _, { vendor }) => validateResourceQuotaStatus(sent, vendor),
})
