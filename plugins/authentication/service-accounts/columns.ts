import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { ServiceAccount } from './schema.js'

export const columns: readonly Column<ServiceAccount>[] = [
  nameColumn,
  {
    name: 'Secrets',
    type: 'string',
    description: 'Number of Secrets that Pods of this account may use.',
    cell: ({ secrets = [] }) => secrets.length,
  },
  ageColumn,
]
