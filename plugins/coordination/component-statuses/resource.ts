import {
  type ApiObject,
  type Clock,
  type Column,
  defineResource,
  defineVirtual,
  field,
  Kind,
  ListOf,
  type ObjectOf,
  required,
  type StoreReader,
  Struct,
  services,
  Text,
  type Vendor,
} from 'orch/sdk'
import { leaseCollection } from 'orch/sdk/controllers'
import type { Lease } from 'orch/sdk/core'

const ComponentCondition = Struct(
  'core.v1.ComponentCondition',
  {
    type: required(1, Text(), 'Type of the condition: Healthy.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    message: field(3, Text(), 'The response of the component, or why the check failed.'),
    error: field(4, Text(), 'The error of the check.'),
  },
  { description: 'The health of a component.' },
)
const ComponentStatus = Kind(
  'core.v1.ComponentStatus',
  {
    conditions: field(
      2,
      ListOf(ComponentCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
  },
  {
    description: 'Health of a component of the control plane. Computed on request; health endpoints have more detail.',
  },
)
type ComponentStatus = ObjectOf<typeof ComponentStatus>
type Condition = NonNullable<ComponentStatus['conditions']>[number]

const column = (name: string, description: string, cell: (condition: Condition | undefined) => string) => ({
  name,
  type: 'string' as const,
  description,
  cell: ({ conditions }: ComponentStatus) => cell(conditions?.find(({ type }) => type === 'Healthy')),
})
const columns: readonly Column<ComponentStatus>[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name of the component.',
    cell: ({ metadata }) => metadata.name ?? '',
  },
  column('Status', 'Whether the component is healthy.', condition =>
    condition?.status === 'True' ? 'Healthy' : 'Unhealthy',
  ),
  column('Message', 'The response of the component.', condition => condition?.message ?? ''),
  column('Error', 'The error of the check.', condition => condition?.error ?? ''),
]

const healthy = (message: string): Condition => ({ type: 'Healthy', status: 'True', message })
const unhealthy = (message: string): Condition => ({ type: 'Healthy', status: 'False', message })

/** The health of a component outside the server, which renews a lease while it is healthy. */
async function leaseHealth(
  reader: StoreReader,
  clock: Clock,
  vendor: Vendor,
  name: string,
): Promise<Condition | undefined> {
  const lease = await reader.get<ApiObject & Lease>(leaseCollection(vendor), vendor.profile.namespaces.system, name)
  if (!lease) return undefined
  const { renewTime = '', leaseDurationSeconds = 0, holderIdentity = '' } = lease.spec ?? {}
  const isHeld = holderIdentity !== '' && Date.parse(renewTime) + leaseDurationSeconds * 1000 >= clock.now()
  return isHeld ? healthy('ok') : unhealthy(`the lease ${name} has no holder`)
}

/** The components of the control plane, as far as this server can check them. */
export function componentStatuses(vendor: Vendor) {
  const { objectPrefix, storageCheck = 'storage' } = vendor.profile
  return defineResource({
    group: '',
    kind: 'ComponentStatus',
    resource: 'componentstatuses',
    shortNames: ['cs'],
    namespaced: false,
    verbs: ['get', 'list'],
    versions: [
      {
        name: 'v1',
        schema: ComponentStatus,
        deprecated: { since: '1.19' },
      },
    ],
    columns,
    virtual: defineVirtual({
      needs: { reader: services.reader, clock: services.clock },
      async list({ reader, clock }) {
        const lease = (name: string) => leaseHealth(reader, clock, vendor, `${objectPrefix}-${name}`)
        const status = (name: string, condition: Condition) => ({ metadata: { name }, conditions: [condition] })
        // Reading the leases shows that the store responds. Without a lease, the loops run in this server.
        const scheduler = (await lease('scheduler')) ?? unhealthy('no scheduler has registered')
        const manager = (await lease('controller-manager')) ?? healthy('ok')
        return [
          status('controller-manager', manager),
          status('scheduler', scheduler),
          status(`${storageCheck}-0`, healthy('{"health":"true","reason":""}')),
        ]
      },
    }),
  })
}
