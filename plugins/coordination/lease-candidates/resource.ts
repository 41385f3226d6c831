import { ageColumn, type Column, defineResource, nameColumn, type Strategy, type Vendor } from 'orch/sdk'
import { isConfigMapKey } from 'orch/sdk/validation'
import { convertFirst, FirstLeaseCandidate, LeaseCandidate, leaseCandidateIn } from './schema.js'
import { validateCandidate, validateCandidateUpdate } from './validation.js'

const mainStrategy = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  metadataChecks: { change: 1, object: 0 },
  validate: validateCandidate,
  validateUpdate: validateCandidateUpdate,
} satisfies Strategy<LeaseCandidate>

const text = (
  name: string,
  description: string,
  cell: (candidate: LeaseCandidate) => string,
): Column<LeaseCandidate> => ({ name, type: 'string', description, cell })

const columns: readonly Column<LeaseCandidate>[] = [
  nameColumn as Column<LeaseCandidate>,
  text('LeaseName', 'The lease that the candidate competes for.', ({ spec }) => spec.leaseName),
  text('BinaryVersion', 'The binary version of the candidate.', ({ spec }) => spec.binaryVersion),
  text('EmulationVersion', 'The version that the candidate emulates.', ({ spec }) => spec.emulationVersion ?? ''),
  ageColumn as Column<LeaseCandidate>,
]

/** Off by default in every version: enable it with --runtime-config to elect leaders among candidates. */
export const leaseCandidates = (vendor: Vendor) =>
  defineResource({
    group: vendor.group('coordination'),
    kind: 'LeaseCandidate',
    resource: 'leasecandidates',
    namespaced: true,
    plainFinalizers: true,
    versions: [
      { name: 'v1beta1', since: '1.33', schema: LeaseCandidate, storage: true, served: false },
      { name: 'v1alpha2', since: '1.32', schema: leaseCandidateIn('v1alpha2') },
      { name: 'v1alpha1', since: '1.31', until: '1.31', schema: FirstLeaseCandidate, ...convertFirst },
    ],
    since: '1.31',
    generation: false,
    strategy: mainStrategy,
    selectableFields: { 'spec.leaseName': ({ spec }: LeaseCandidate) => spec.leaseName },
    validateName: isConfigMapKey,
    columns,
  })
