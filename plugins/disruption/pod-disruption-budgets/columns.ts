import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { PodDisruptionBudget } from './schema.js'

type Cells = Column<PodDisruptionBudget>
const share = (value: number | string | undefined) => (value === undefined ? 'N/A' : String(value))

export const columns: readonly Cells[] = [
  nameColumn as Cells,
  {
    name: 'Min Available',
    type: 'string',
    description: 'How many Pods must stay.',
    cell: ({ spec }) => share(spec?.minAvailable),
  },
  {
    name: 'Max Unavailable',
    type: 'string',
    description: 'How many Pods may be missing.',
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
