import {
  ageColumn,
  type Column,
  defineResource,
  invalidValue,
  nameColumn,
  type ServedLevel,
  type Strategy,
  strategyForSpec,
  strategyForStatus,
} from 'orch/sdk'
import { claimStatusResetsMetadata, updatesAreCheckedOnce } from '../differences.js'
import type { DeviceGates } from '../gates.js'
import type { DeviceNames } from '../names.js'
import { claimSpecPermission } from '../schemas/claim-spec-permission.js'
import { isSameSpec, validateClaimSpec } from '../schemas/claim-spec-rules.js'
import type { FlatClaimSpec } from '../schemas/claim-spec-schema.js'
import { fillFlatSpec, fillSpec } from '../schemas/defaults.js'
import { flattenRequests, nestRequests } from '../schemas/flat-requests.js'
import { claimIn, flatClaimIn, ResourceClaim } from './schema.js'
import { statusPermission } from './status-permission.js'
import { allocatedIds, deviceId, validateStatusUpdate } from './status-rules.js'

const mainStrategy = (gates: DeviceGates, level: ServedLevel) => {
  const validate = ({ spec }: ResourceClaim) => validateClaimSpec(spec, 'spec', gates, level)
  return strategyForSpec<ResourceClaim>({
    newStatus: () => ({}),
    validate,
    validateUpdate(claim, stored) {
      const { spec } = claim
      const changed = isSameSpec(spec, stored.spec) ? [] : [invalidValue('spec', spec, 'field is immutable')]
      if (level.has(updatesAreCheckedOnce)) return changed
      const errors = validate(claim)
      return [...errors, ...changed, ...errors]
    },
  })
}

const statusStrategy = (level: ServedLevel): Strategy<ResourceClaim> => {
  const strategy = strategyForStatus<ResourceClaim>({
    prepareForUpdate: dropDeallocated,
    validateUpdate: (claim, stored) => validateStatusUpdate(claim, stored, level),
    resetFields: ['metadata'],
  })
  return level.has(claimStatusResetsMetadata) ? strategy : { ...strategy, resetFields: ['spec'] }
}

/** The status of a device is removed with its allocation, so that whatever deallocates devices need not handle it. */
export function dropDeallocated({ status }: ResourceClaim, stored: ResourceClaim): void {
  if (!status?.devices) return
  const before = allocatedIds(stored.status?.allocation)
  const now = allocatedIds(status.allocation)
  status.devices = status.devices.filter(device => !before.has(deviceId(device)) || now.has(deviceId(device)))
  if (status.devices.length === 0) delete status.devices
}

export function claimState({ metadata, status = {} }: ResourceClaim): string {
  const isDeleted = Boolean(metadata?.deletionTimestamp)
  const isReserved = (status.reservedFor ?? []).length > 0
  const states = status.allocation ? ['allocated', ...(isReserved ? ['reserved'] : [])] : isDeleted ? [] : ['pending']
  return [...(isDeleted ? ['deleted'] : []), ...states].join(',')
}

const columns: readonly Column<ResourceClaim>[] = [
  nameColumn as Column<ResourceClaim>,
  { name: 'State', type: 'string', description: 'Whether devices are allocated and reserved.', cell: claimState },
  ageColumn as Column<ResourceClaim>,
]

type FlatClaim = Omit<ResourceClaim, 'spec'> & { spec: FlatClaimSpec }
const flatVersion = {
  toStorage: (claim: FlatClaim) => ({ ...claim, spec: nestRequests(claim.spec) }),
  fromStorage: (claim: ResourceClaim) => ({ ...claim, spec: flattenRequests(claim.spec) }),
  defaults: ({ spec }: FlatClaim) => fillFlatSpec(spec),
}
const version = { defaults: ({ spec }: ResourceClaim) => fillSpec(spec) }

export const resourceClaims = (names: DeviceNames, gates: DeviceGates) => {
  const { level } = names.vendor
  return defineResource({
    group: names.group,
    kind: 'ResourceClaim',
    resource: 'resourceclaims',
    namespaced: true,
    versions: [
      { name: 'v1', since: '1.34', schema: ResourceClaim, storage: true, ...version },
      { name: 'v1beta2', since: '1.33', schema: claimIn('v1beta2'), served: false, ...version },
      { name: 'v1beta1', since: '1.32', schema: flatClaimIn('v1beta1'), served: false, ...flatVersion },
      { name: 'v1alpha3', since: '1.31', until: '1.33', schema: flatClaimIn('v1alpha3'), ...flatVersion },
    ],
    since: '1.31',
    generation: false,
    strategy: mainStrategy(gates, level),
    permission: claimSpecPermission<ResourceClaim>(({ spec }) => ({ spec, field: 'spec' }), names, gates, {
      onUpdate: level.has(updatesAreCheckedOnce) ? 0 : 2,
    }),
    subresources: {
      status: { kind: 'update', strategy: statusStrategy(level), permission: statusPermission(names, gates) },
    },
    deletion: { answer: 'object' },
    columns,
  })
}
