import {
  ageColumn,
  type Column,
  defineResource,
  nameColumn,
  type ServedLevel,
  strategyForSpec,
  strategyForStatus,
} from 'orch/sdk'
import { roundResourceList } from 'orch/sdk/core'
import { quotaAgeIsLast, warnsAboutRequests } from '../differences.js'
import { ResourceQuota } from './schema.js'
import { validateResourceQuota, validateResourceQuotaStatus, validateResourceQuotaUpdate } from './validation.js'
import { requestWarnings } from './warnings.js'

/** Clients set the limits; the server counts the usage. */
export const mainStrategy = strategyForSpec<ResourceQuota>({
  newStatus: () => ({}),
  validate: (quota, { vendor }) => validateResourceQuota(quota, vendor),
  validateUpdate: (sent, stored, { vendor }) => validateResourceQuotaUpdate(sent, stored, vendor),
  warnings: (sent, stored, { vendor: { level } }) =>
    stored === undefined && level.has(warnsAboutRequests) ? requestWarnings(sent) : [],
  metadataChecks: { change: 1, object: 0 },
})

const statusStrategy = strategyForStatus<ResourceQuota>({
  validateUpdate: (sent, _, { vendor }) => validateResourceQuotaStatus(sent, vendor),
})

/** For example `pods: 3/10, requests.cpu: 1/4`, for the resources that are (or are not) limits. */
function usage({ status }: ResourceQuota, ofLimits: boolean): string {
  const hard = status?.hard ?? {}
  return Object.keys(hard)
    .filter(name => name.startsWith('limits.') === ofLimits)
    .sort()
    .map(name => `${name}: ${status?.used?.[name] ?? '0'}/${hard[name]}`)
    .join(', ')
}

const amountColumns: readonly Column<ResourceQuota>[] = [
  {
    name: 'Request',
    type: 'string',
    description: 'Used and allowed amounts of requests and object counts.',
    cell: quota => usage(quota, false),
  },
  {
    name: 'Limit',
    type: 'string',
    description: 'Used and allowed amounts of limits.',
    cell: quota => usage(quota, true),
  },
]

function fillResourceQuota({ spec, status }: ResourceQuota): void {
  for (const list of [spec?.hard, status?.hard, status?.used]) roundResourceList(list)
}

const columnsAt = (level: ServedLevel): readonly Column<ResourceQuota>[] => {
  const [name, age] = [nameColumn, ageColumn] as readonly Column<ResourceQuota>[] as [
    Column<ResourceQuota>,
    Column<ResourceQuota>,
  ]
  return level.has(quotaAgeIsLast) ? [name, ...amountColumns, age] : [name, age, ...amountColumns]
}

export const resourceQuotas = (level: ServedLevel) =>
  defineResource({
    group: '',
    kind: 'ResourceQuota',
    resource: 'resourcequotas',
    shortNames: ['quota'],
    namespaced: true,
    versions: [{ name: 'v1', schema: ResourceQuota, defaults: fillResourceQuota }],
    generation: false,
    strategy: mainStrategy,
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns: columnsAt(level),
  })
