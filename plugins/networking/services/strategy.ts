import type { Strategy } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'
import { carryOver } from './carry-over.js'
import type { ServiceNames } from './names.js'
import { specOf } from './service-kinds.js'
import { validateNewService, validateServiceUpdate } from './validation.js'

/** Clients write the spec; addresses and node ports that the server gave stay with the Service. */
export const mainStrategy = (names: ServiceNames) =>
  ({
    prepareForCreate(draft) {
      draft.status = { loadBalancer: {} }
      carryOver(specOf(draft), undefined)
    },
    prepareForUpdate(draft, stored) {
      // What is no load balancer any more is reached through none, though taking it down may last.
      const isBalanced = specOf(draft).type === 'LoadBalancer'
      draft.status = isBalanced ? stored.status : { ...stored.status, loadBalancer: {} }
      carryOver(specOf(draft), specOf(stored))
    },
    validate: service => validateNewService(service, names),
    validateUpdate: (sent, stored) => validateServiceUpdate(sent, stored, names),
    resetFields: ['status'],
    createOnUpdate: true,
  }) satisfies Strategy<Service>
