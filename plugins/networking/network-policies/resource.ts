import { defineResource, type Strategy } from 'orch/sdk'
import type { NetworkingNames } from '../names.js'
import { columns } from './columns.js'
import { fillPolicy } from './defaults.js'
import { NetworkPolicy } from './schema.js'
import { validatePolicy, validatePolicyUpdate } from './validation.js'

const mainStrategy = {
  validate: validatePolicy,
  validateUpdate: validatePolicyUpdate,
} satisfies Strategy<NetworkPolicy>

export const networkPolicies = ({ group }: NetworkingNames) =>
  defineResource({
    group,
    formerGroup: 'extensions',
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    shortNames: ['netpol'],
    namespaced: true,
    versions: [{ name: 'v1', schema: NetworkPolicy, defaults: fillPolicy }],
    strategy: mainStrategy,
    columns,
  })
