import { defineResource, type Strategy } from 'orch/sdk'
import type { NetworkingNames } from '../names.js'
import { columns } from './columns.js'
import { Ingress } from './schema.js'
import { validateIngress, validateIngressStatus, validateIngressUpdate } from './validation.js'

/** Clients write metadata and spec; the status says where traffic is taken. */
const mainStrategy = (names: NetworkingNames) =>
  ({
    prepareForCreate(draft) {
      draft.status = { loadBalancer: {} }
    },
    prepareForUpdate(draft, stored) {
      draft.status = stored.status
    },
    validate: ingress => validateIngress(ingress, names),
    validateUpdate: validateIngressUpdate,
    resetFields: ['status'],
  }) satisfies Strategy<Ingress>

const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: validateIngressStatus,
  resetFields: ['spec'],
} satisfies Strategy<Ingress>

export const ingresses = (names: NetworkingNames) =>
  defineResource({
    group: names.group,
    formerGroup: 'extensions',
    kind: 'Ingress',
    resource: 'ingresses',
    shortNames: ['ing'],
    namespaced: true,
    versions: [{ name: 'v1', schema: Ingress }],
    strategy: mainStrategy(names),
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns,
  })
