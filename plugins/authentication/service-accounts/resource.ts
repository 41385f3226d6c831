import { defineResource, type SubresourceDefinition } from 'orch/sdk'
import { columns } from './columns.js'
import { ServiceAccount } from './schema.js'
import { mainStrategy } from './strategy.js'

export const serviceAccounts = (subresources: Readonly<Record<string, SubresourceDefinition>>) =>
  defineResource({
    group: '',
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    shortNames: ['sa'],
    namespaced: true,
    versions: [{ name: 'v1', schema: ServiceAccount }],
    strategy: mainStrategy,
    deletion: { answer: 'object' },
    subresources,
    columns,
  })
