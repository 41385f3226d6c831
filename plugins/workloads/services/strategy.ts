import type { Strategy } from 'orch/sdk'
import { carryOver } from './carry-over.js'
import type { Service } from './schema.js'
import { specOf } from './service-kinds.js'
import { validateService, validateServiceUpdate } from './validation.js'

/** Clients write the spec; addresses and node ports that the server gave stay with the Service. */
export const mainStrategy = {
  prepareForCreate(draft) {
    draft.status = { loadBalancer: {} }
    carryOver(specOf(draft), undefined)
  },
  prepareForUpdate(draft, stored) {
    draft.status = stored.status
    carryOver(specOf(draft), specOf(stored))
  },
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  resetFields: ['status'],
  createOnUpdate: true,
} satisfies Strategy<Service>
