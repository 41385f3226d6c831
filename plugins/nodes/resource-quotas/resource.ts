import { defineResource, roundResourceList } from 'orch/sdk'
import { columns } from './columns.js'
import { ResourceQuota } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

function fillResourceQuota({ spec, status }: ResourceQuota): void {
  for (const list of [spec?.hard, status?.hard, status?.used]) roundResourceList(list)
}

export const resourceQuotas = defineResource({
  group: '',
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  versions: [{ name: 'v1', schema: ResourceQuota, defaults: fillResourceQuota }],
  strategy: mainStrategy,
  deletion: { answer: 'object' },
  subresources: { status: { kind: 'update', strategy: statusStrategy } },
  columns,
})
