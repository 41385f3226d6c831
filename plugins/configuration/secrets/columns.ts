import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { Secret } from './schema.js'

export const columns: readonly Column<Secret>[] = [
  nameColumn,
  { name: 'Type', type: 'string', description: 'What the data is for.', cell: ({ type = '' }) => type },
  {
    name: 'Data',
    type: 'string',
    description: 'Number of entries in data.',
    cell: ({ data = {} }) => Object.keys(data).length,
  },
  ageColumn,
]
