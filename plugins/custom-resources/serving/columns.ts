import { type Column, nameColumn, pathColumn } from 'orch/sdk'
import type { ColumnDefinition } from '../definitions/schema.js'

const ageColumn: ColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
}

/** The columns of a version: the name, followed by the columns that it defines, or by the age. */
export const columnsOf = (defined: readonly ColumnDefinition[] | undefined): readonly Column[] => [
  nameColumn,
  ...(defined && defined.length > 0 ? defined : [ageColumn]).map(columnOf),
]

const columnOf = ({ name, type, format, priority, description = '', jsonPath }: ColumnDefinition): Column =>
  pathColumn({
    name,
    type: type as Column['type'],
    ...(format ? { format } : {}),
    ...(priority ? { priority } : {}),
    description:
      description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    jsonPath,
  })
