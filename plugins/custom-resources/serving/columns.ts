import { type Column, nameColumn, pathColumn } from 'orch/sdk'
import { JsonPathError, readPath } from '../../../libs/json-path/index.js'
import type { ColumnDefinition } from '../definitions/schema.js'

const ageColumn: ColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
}

/**
 * The columns of a version: the name, followed by the columns that it defines, or by the age. The first column without a
 * valid path and all columns after it are left out.
 */
export function columnsOf(defined: readonly ColumnDefinition[] | undefined): readonly Column[] {
  const columns = defined && defined.length > 0 ? defined : [ageColumn]
  const invalid = columns.findIndex(({ jsonPath }) => !isPath(jsonPath))
  return [nameColumn, ...(invalid < 0 ? columns : columns.slice(0, invalid)).map(columnOf)]
}

function isPath(text: string): boolean {
  try {
    readPath(text)
    return true
  } catch (error) {
    if (error instanceof JsonPathError) return false
    throw error
  }
}

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
