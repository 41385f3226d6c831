import { type ApiObject, type Column, nameColumn } from 'orch/sdk'

/** Columns of Role and ClusterRole. */
export const roleColumns: readonly Column<Pick<ApiObject, 'metadata'>>[] = [
  nameColumn as Column<Pick<ApiObject, 'metadata'>>,
  {
    name: 'Created At',
    type: 'date',
    description: 'When the object was created.',
    cell: ({ metadata }) => metadata.creationTimestamp ?? '<unknown>',
  },
]
