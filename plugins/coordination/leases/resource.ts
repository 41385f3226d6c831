import { ageColumn, type Column, defineResource, nameColumn, type Strategy, type Vendor } from 'orch/sdk'
import { Lease } from 'orch/sdk/core'
import { validateElection } from '../lease-strategies.js'

/** Updates without a resourceVersion are rejected, so that a holder cannot overwrite a lease that it has not read. */
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
    description: 'The holder of the lease.',
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
