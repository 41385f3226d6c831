import { ageColumn, type Column, defineResource, nameColumn, type Strategy, type Vendor } from 'orch/sdk'
import { Lease } from 'orch/sdk/core'
import { validateElection } from '../lease-strategies.js'

/** Whoever renews a lease must have seen it: an update without a version is refused. */
const mainStrategy = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  metadataChecks: { change: 1, object: 0 },
  validate: ({ spec = {} }) => validateElection(spec),
  validateUpdate: ({ spec = {} }) => validateElection(spec),
} satisfies Strategy<Lease>

const columns: readonly Column<Lease>[] = [
  nameColumn as Column<Lease>,
  {
    name: 'Holder',
    type: 'string',
    description: 'Who holds the lease.',
    cell: ({ spec }) => spec?.holderIdentity ?? '',
  },
  ageColumn as Column<Lease>,
]

export const leases = (vendor: Vendor) =>
  defineResource({
    group: vendor.group('coordination'),
    kind: 'Lease',
    resource: 'leases',
    namespaced: true,
    plainFinalizers: true,
    versions: [{ name: 'v1', schema: Lease }],
    generation: false,
    strategy: mainStrategy,
    columns,
  })
