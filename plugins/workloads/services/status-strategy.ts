import { type Strategy, validateLoadBalancerStatus } from 'orch/sdk'
import type { Service } from './schema.js'

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: ({ status }) => validateLoadBalancerStatus(status?.loadBalancer ?? {}, 'status.loadBalancer'),
  resetFields: ['spec'],
} satisfies Strategy<Service>
