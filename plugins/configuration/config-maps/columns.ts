import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { ConfigMap } from './schema.js'

export const columns: readonly Column<ConfigMap>[] = [
  nameColumn,
  {
    name: 'Data',
    type: 'string',
    description: 'Number of entries in data and binaryData.',
    cell: ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length,
  },
  ageColumn,
]
