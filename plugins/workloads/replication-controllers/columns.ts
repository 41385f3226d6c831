import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import { containerNames, imageNames, labelsText } from 'orch/sdk/core'
import type { ReplicationController } from './schema.js'

type Cells = Column<ReplicationController>
const count = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'integer',
  description,
  cell,
})
const wide = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'string',
  description,
  priority: 1,
  cell,
})

export const columns: readonly Cells[] = [
  nameColumn as Cells,
  count('Desired', 'How many Pods there shall be.', ({ spec }) => spec?.replicas ?? 0),
  count('Current', 'How many there are.', ({ status }) => status?.replicas ?? 0),
  count('Ready', 'How many of them are ready.', ({ status }) => status?.readyReplicas ?? 0),
  ageColumn as Cells,
  wide('Containers', 'Names of the containers.', ({ spec }) => containerNames(spec?.template?.spec)),
  wide('Images', 'Their images.', ({ spec }) => imageNames(spec?.template?.spec)),
  wide('Selector', 'Labels of the Pods.', ({ spec }) => labelsText(spec?.selector)),
]
