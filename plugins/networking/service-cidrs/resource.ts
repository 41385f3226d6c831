import { ageColumn, type Column, defineResource, nameColumn, type Strategy, strategyForStatus } from 'orch/sdk'
import { secondFamilyIsAdded } from '../differences.js'
import type { NetworkingNames } from '../names.js'
import { ServiceCIDR, serviceCidrIn } from './schema.js'
import { validateServiceCidr, validateServiceCidrUpdate } from './validation.js'

/** Older versions let clients write the status together with the spec. */
const mainStrategy = (keepsStatus: boolean) =>
  ({
    prepareForCreate(draft) {
      if (keepsStatus) draft.status = {}
    },
    prepareForUpdate(draft, stored) {
      if (keepsStatus) draft.status = stored.status
    },
    validate: validateServiceCidr,
    validateUpdate: (object, stored, { vendor }) =>
      validateServiceCidrUpdate(object, stored, vendor.level.has(secondFamilyIsAdded)),
    metadataChecks: level => ({ change: 1, object: level.has(secondFamilyIsAdded) ? 0 : 1 }),
    resetFields: keepsStatus ? ['status'] : [],
  }) satisfies Strategy<ServiceCIDR>

/** Metadata and spec stay as stored; `isReset`: apply never owns them. */
export const statusStrategy = (isReset: boolean) => {
  const strategy = strategyForStatus<ServiceCIDR>({ resetFields: ['metadata'] })
  return isReset ? strategy : { ...strategy, resetFields: [] }
}

const columns: readonly Column<ServiceCIDR>[] = [
  nameColumn as Column<ServiceCIDR>,
  { name: 'CIDRs', type: 'string', description: 'The ranges.', cell: ({ spec }) => (spec?.cidrs ?? []).join(',') },
  ageColumn as Column<ServiceCIDR>,
]

export const serviceCidrs = ({ group, resetsStatusOfRanges }: NetworkingNames, keepsStatus: boolean) =>
  defineResource({
    group,
    kind: 'ServiceCIDR',
    resource: 'servicecidrs',
    namespaced: false,
    versions: [
      { name: 'v1', since: '1.33', schema: ServiceCIDR, storage: true },
      {
        name: 'v1beta1',
        since: '1.31',
        schema: serviceCidrIn('v1beta1'),
        served: false,
        deprecated: { since: '1.34', removedRelease: '1.37', replacement: `${group}/v1` },
      },
      { name: 'v1alpha1', since: '1.29', until: '1.30', schema: serviceCidrIn('v1alpha1') },
    ],
    since: '1.29',
    generation: false,
    strategy: mainStrategy(keepsStatus),
    subresources: { status: { kind: 'update', strategy: statusStrategy(resetsStatusOfRanges) } },
    deletion: { answer: 'object' },
    columns,
  })
