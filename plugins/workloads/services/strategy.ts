import type { Strategy } from 'orch/sdk'
import { alignClusterIps, dropOtherTypes, keepAllocated } from './carry-over.js'
import type { Service } from './schema.js'
import { specOf } from './service-kinds.js'
import { validateService, validateServiceUpdate } from './validation.js'

/** Clients write the spec; addresses and node ports that the server gave stay with the Service. */
export const mainStrategy = {
  prepareForCreate(draft) {
    draft.status = { loadBalancer: {} }
    alignClusterIps(specOf(draft), undefined)
  },
  prepareForUpdate(draft, stored) {
    draft.status = stored.status
    const [sent, old] = [specOf(draft), specOf(stored)]
    alignClusterIps(sent, old)
    dropOtherTypes(sent, old)
    keepAllocated(sent, old)
  },
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  resetFields: ['status'],
  createOnUpdate: true,
} satisfies Strategy<Service>
