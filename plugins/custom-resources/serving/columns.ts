import { type ApiObject, ageOf, type Cell, type Column, nameColumn } from 'orch/sdk'
import type { ColumnDefinition } from '../definitions/schema.js'
import { readJsonPath } from './json-path.js'

const ageColumn: ColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
}

/** The columns of a version: the name, and those that it defines, or the age. */
export const columnsOf = (defined: readonly ColumnDefinition[] | undefined): readonly Column[] => [
  nameColumn,
  ...(defined && defined.length > 0 ? defined : [ageColumn]).map(columnOf),
]

function columnOf({ name, type, format, priority, description = '', jsonPath }: ColumnDefinition): Column {
  const find = readJsonPath(jsonPath)
  return {
    name,
    type: type as Column['type'],
    ...(format ? { format } : {}),
    ...(priority ? { priority } : {}),
    description:
      description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
    cell: (object: ApiObject, now: number) => {
      const [value] = find?.(object) ?? []
      return value === undefined || value === null ? null : cellOf(value, type, now)
    },
  }
}

function cellOf(value: unknown, type: string, now: number): Cell {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      if (typeof value !== 'string') return null
      return Number.isNaN(Date.parse(value)) ? '<invalid>' : ageOf(value, now)
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}
