import type { Strategy } from 'orch/sdk'
import { nextGeneration, startGeneration } from '../generation.js'
import type { NetworkingNames } from '../names.js'
import type { Ingress } from './schema.js'
import { validateIngress, validateIngressUpdate } from './validation.js'

/** Clients write metadata and spec; the status says where traffic is taken. */
export const mainStrategy = (names: NetworkingNames) =>
  ({
    prepareForCreate(draft) {
      draft.status = { loadBalancer: {} }
      startGeneration(draft)
    },
    prepareForUpdate(draft, stored) {
      draft.status = stored.status
      nextGeneration(draft, stored)
    },
    validate: ingress => validateIngress(ingress, names),
    validateUpdate: validateIngressUpdate,
    resetFields: ['status'],
  }) satisfies Strategy<Ingress>
