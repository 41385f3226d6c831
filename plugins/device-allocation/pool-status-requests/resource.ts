import { isDeepStrictEqual } from 'node:util'
import {
  ageOf,
  type Cell,
  type Column,
  defineResource,
  type FieldError,
  invalidValue,
  nameColumn,
  requiredValue,
  type ServedLevel,
  strategyForSpec,
  strategyForStatus,
  tooMany,
} from 'orch/sdk'
import { validateConditions } from 'orch/sdk/validation'
import type { DeviceNames } from '../names.js'
import { checkDriver, checkLength, checkList, checkPoolName, checkSubdomain } from '../schemas/rules.js'
import { ResourcePoolStatusRequest } from './schema.js'

type Status = NonNullable<ResourcePoolStatusRequest['status']>
type Pool = NonNullable<Status['pools']>[number]

const maxPools = 1000
const maxConditions = 10
const maxErrorBytes = 256
const atLeast = (value: number | undefined, min: number, field: string): FieldError[] =>
  value === undefined || value >= min ? [] : [invalidValue(field, value, `must be greater than or equal to ${min}`)]

export function validateRequest(
  { spec: { driver, poolName, limit } }: ResourcePoolStatusRequest,
  level: ServedLevel,
): FieldError[] {
  return [
    ...checkDriver(driver, 'spec.driver', level),
    ...(poolName === undefined ? [] : checkPoolName(poolName, 'spec.poolName')),
    ...atLeast(limit, 1, 'spec.limit'),
    ...(limit !== undefined && limit > maxPools
      ? [invalidValue('spec.limit', limit, `must be less than or equal to ${maxPools}`)]
      : []),
  ]
}

function validateStatus(
  { status }: ResourcePoolStatusRequest,
  stored: ResourcePoolStatusRequest,
  level: ServedLevel,
): FieldError[] {
  if (stored.status)
    return isDeepStrictEqual(status, stored.status) ? [] : [invalidValue('status', status, 'field is immutable')]
  if (!status) return []
  const { conditions = [], pools, poolCount } = status
  return [
    ...(poolCount === undefined ? [requiredValue('status.poolCount')] : atLeast(poolCount, 0, 'status.poolCount')),
    ...checkList(pools, maxPools, validatePool, 'status.pools', level),
    ...(conditions.length > maxConditions ? [tooMany('status.conditions', conditions.length, maxConditions)] : []),
    ...validateConditions(conditions, 'status.conditions'),
  ]
}

const counts = ['totalDevices', 'allocatedDevices', 'availableDevices', 'unavailableDevices'] as const
const validatePool = (pool: Pool, field: string, level: ServedLevel): FieldError[] => [
  ...checkDriver(pool.driver, `${field}.driver`, level),
  ...checkPoolName(pool.poolName, `${field}.poolName`),
  ...atLeast(pool.generation, 0, `${field}.generation`),
  ...atLeast(pool.resourceSliceCount, 1, `${field}.resourceSliceCount`),
  ...counts.flatMap(name => atLeast(pool[name], 0, `${field}.${name}`)),
  ...(pool.nodeName === undefined ? [] : checkSubdomain(pool.nodeName, `${field}.nodeName`)),
  ...checkLength(pool.validationError ?? '', maxErrorBytes, `${field}.validationError`),
]

const mainStrategy = strategyForSpec<ResourcePoolStatusRequest>({
  validate: (object, { vendor }) => validateRequest(object, vendor.level),
  validateUpdate: (object, stored) => [
    ...(isDeepStrictEqual(object.spec, stored.spec) ? [] : [invalidValue('spec', object.spec, 'field is immutable')]),
  ],
  unconditionalUpdate: false,
  metadataChecks: { change: 1, object: 0 },
})
const statusStrategy = strategyForStatus<ResourcePoolStatusRequest>({
  validateUpdate: (object, stored, { vendor }) => validateStatus(object, stored, vendor.level),
  resetFields: ['metadata'],
})

const endOf = ({ status }: ResourcePoolStatusRequest) =>
  status?.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')

function stateOf(request: ResourcePoolStatusRequest): string {
  const { pools = [], poolCount = 0 } = request.status ?? {}
  const end = endOf(request)?.type ?? 'Pending'
  return end === 'Complete' && poolCount > pools.length ? `Complete (${pools.length}/${poolCount} pools)` : end
}
const sumOf =
  (count: (pool: Pool) => number) =>
  (request: ResourcePoolStatusRequest): string =>
    !request.status || endOf(request)?.type === 'Failed'
      ? '-'
      : String((request.status.pools ?? []).reduce((sum, pool) => sum + count(pool), 0))

const column = (
  name: string,
  description: string,
  cell: (request: ResourcePoolStatusRequest, now: number) => Cell,
  type: 'string' | 'integer' = 'string',
): Column<ResourcePoolStatusRequest> => ({ name, type, description, cell })

const columns: readonly Column<ResourcePoolStatusRequest>[] = [
  nameColumn as Column<ResourcePoolStatusRequest>,
  column('Driver', 'The driver whose pools are queried.', ({ spec }) => spec.driver),
  column(
    'Total',
    'Devices of all pools.',
    sumOf(pool => pool.totalDevices ?? 0),
  ),
  column(
    'Available',
    'Devices that can be allocated.',
    sumOf(pool => pool.availableDevices ?? 0),
  ),
  column(
    'Allocated',
    'Devices that are allocated.',
    sumOf(pool => pool.allocatedDevices ?? 0),
  ),
  column(
    'Unavailable',
    'Devices that cannot be allocated.',
    sumOf(pool => pool.unavailableDevices ?? 0),
  ),
  column(
    'Errors',
    'Pools whose numbers are not known.',
    sumOf(pool => (pool.validationError === undefined ? 0 : 1)),
  ),
  column('Pools', 'Pools that match.', ({ status }) => status?.poolCount ?? 0, 'integer'),
  column('Status', 'Progress of the request.', stateOf),
  column('Completed', 'Time since completion.', (request, now) => {
    const end = endOf(request)
    return end?.type === 'Complete' ? ageOf(end.lastTransitionTime, now) : '<none>'
  }),
]

export const poolStatusRequests = ({ group }: DeviceNames) =>
  defineResource({
    group,
    kind: 'ResourcePoolStatusRequest',
    resource: 'resourcepoolstatusrequests',
    namespaced: false,
    versions: [{ name: 'v1alpha3', since: '1.36', schema: ResourcePoolStatusRequest }],
    since: '1.36',
    generation: false,
    strategy: mainStrategy,
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    deletion: { answer: 'object' },
    columns,
  })
