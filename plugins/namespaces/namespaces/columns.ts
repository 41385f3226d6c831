import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { Namespace } from './schema.js'

export const columns: readonly Column<Namespace>[] = [
  nameColumn,
  {
    name: 'Status',
    type: 'string',
    description: 'Whether the namespace is active or being removed.',
    cell: ({ status }) => status?.phase ?? '',
  },
  ageColumn,
]
