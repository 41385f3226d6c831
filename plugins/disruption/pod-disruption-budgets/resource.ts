import { ageColumn, type Column, defineResource, nameColumn, type Vendor } from 'orch/sdk'
import { nameIsPathSegment } from 'orch/sdk/validation'
import { convertV1beta1 } from './convert-v1beta1.js'
import { PodDisruptionBudget } from './schema.js'
import { PodDisruptionBudget as PodDisruptionBudgetV1beta1 } from './schema-v1beta1.js'
import { mainStrategy, statusStrategy } from './strategy.js'

type Cells = Column<PodDisruptionBudget>
const share = (value: number | string | undefined) => (value === undefined ? 'N/A' : String(value))

const columns: readonly Cells[] = [
  nameColumn as Cells,
  {
    name: 'Min Available',
    type: 'string',
    description: 'How many Pods must be available.',
    cell: ({ spec }) => share(spec?.minAvailable),
  },
  {
    name: 'Max Unavailable',
    type: 'string',
    description: 'How many Pods may be unavailable.',
    cell: ({ spec }) => share(spec?.maxUnavailable),
  },
  {
    name: 'Allowed Disruptions',
    type: 'integer',
    description: 'How many Pods may be evicted now.',
    cell: ({ status }) => status?.disruptionsAllowed ?? 0,
  },
  ageColumn as Cells,
]

export const podDisruptionBudgets = (vendor: Vendor) =>
  defineResource({
    group: 'policy',
    kind: 'PodDisruptionBudget',
    resource: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    namespaced: true,
    plainFinalizers: true,
    versions: [
      { name: 'v1', schema: PodDisruptionBudget, storage: true },
      {
        name: 'v1beta1',
        until: '1.24',
        schema: PodDisruptionBudgetV1beta1,
        ...convertV1beta1(vendor),
        deprecated: {
          since: '1.21',
          removedRelease: '1.25',
          replacement: 'policy/v1',
        },
      },
    ],
    strategy: mainStrategy,
    validateName: nameIsPathSegment,
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns,
  })
