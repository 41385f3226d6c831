import { ageColumn, type Column, defineResource, nameColumn, type Strategy, type SubresourceDefinition } from 'orch/sdk'
import { ServiceAccount } from './schema.js'

const columns: readonly Column<ServiceAccount>[] = [
  nameColumn,
  {
    name: 'Secrets',
    until: '1.34',
    type: 'string',
    description: 'Number of Secrets that Pods of this account may use.',
    cell: ({ secrets = [] }) => secrets.length,
  },
  ageColumn,
]

export const serviceAccounts = (
  subresources: Readonly<Record<string, SubresourceDefinition>>,
  strategy: Strategy<ServiceAccount>,
) =>
  defineResource({
    group: '',
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    shortNames: ['sa'],
    namespaced: true,
    versions: [{ name: 'v1', schema: ServiceAccount }],
    strategy,
    deletion: { answer: 'object' },
    subresources,
    columns,
  })
