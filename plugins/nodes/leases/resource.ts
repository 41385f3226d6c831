import { ageColumn, type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import { Lease } from './schema.js'
import { validateLease } from './validation.js'

/** Whoever renews a lease must have seen it: an update without a version is refused. */
const mainStrategy = {
  validate: validateLease,
  validateUpdate: validateLease,
  createOnUpdate: true,
  unconditionalUpdate: false,
  metadataChecks: { change: 1, object: 0 },
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

export const leases = ({ coordinationGroup }: NodeNames) =>
  defineResource({
    group: coordinationGroup,
    kind: 'Lease',
    resource: 'leases',
    namespaced: true,
    versions: [{ name: 'v1', schema: Lease }],
    strategy: mainStrategy,
    columns,
  })
