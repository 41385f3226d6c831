import { ageColumn, type Cell, type Column, nameColumn, pathColumn, type ResourceDefinition } from 'orch/sdk'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import { OutsideCells, outsideColumn } from '../contracts/outside-cells.js'
import type { CellsOrder } from './plugin-messages.js'
import type { Ask } from './remote-admission.js'
import { UnreadableAnswer } from './unreadable-answer.js'

const maxCellLength = 10_000

/** The type with its columns. Names, ages and values at paths are shown by the server, other cells are computed in the process. */
export function withColumns(definition: JsonObject, ask: Ask): ResourceDefinition {
  const { versions } = definition
  const shown = Array.isArray(versions)
    ? versions.map(each => (isObject(each) ? columnsOf(each, ask) : each))
    : versions
  return Object.assign({ ...columnsOf(definition, ask), versions: shown })
}

/** All computed cells of a page are asked for at once. */
function columnsOf(part: JsonObject, ask: Ask): JsonObject {
  const { columns } = part
  if (!Array.isArray(columns)) return part
  const functions: number[] = []
  const cells = new OutsideCells((objects, now) => computed({ functions, objects, now }, ask))
  return { ...part, columns: columns.map(each => columnFrom(each, functions, cells)) }
}

function columnFrom(column: unknown, functions: number[], cells: OutsideCells): Column {
  if (!isObject(column)) throw new UnreadableAnswer('a column that is no object')
  const { name, type, description, format, priority, jsonPath, cell } = column
  if (jsonPath === ageColumn.jsonPath && name === ageColumn.name) return ageColumn
  if (name === nameColumn.name && format === nameColumn.format) return nameColumn
  if (typeof name !== 'string') throw new UnreadableAnswer('a column without a name')
  const declared = {
    name,
    type: (['integer', 'number', 'boolean', 'date'] as const).find(each => each === type) ?? 'string',
    description: typeof description === 'string' ? description : '',
    ...(typeof format === 'string' ? { format } : {}),
    ...(typeof priority === 'number' ? { priority } : {}),
  } as const
  if (typeof jsonPath === 'string') return pathColumn({ ...declared, jsonPath })
  if (!isObject(cell) || typeof cell['function'] !== 'number') throw new UnreadableAnswer('a column without cells')
  return outsideColumn(declared, cells, functions.push(cell['function']) - 1)
}

/** A process that does not answer shows nothing, and the list is shown nevertheless; the failure is logged. */
async function computed(order: CellsOrder, ask: Ask): Promise<readonly (readonly Cell[])[]> {
  try {
    return (await ask('cells', order, rowsFrom)) ?? []
  } catch {
    return []
  }
}

function rowsFrom(answer: unknown): Cell[][] {
  if (!Array.isArray(answer) || !answer.every(Array.isArray)) throw new UnreadableAnswer('no rows of cells')
  return answer.map((row: readonly unknown[]) => row.map(cellFrom))
}
function cellFrom(cell: unknown): Cell {
  if (typeof cell === 'string') return cell.slice(0, maxCellLength)
  if (typeof cell === 'number' || typeof cell === 'boolean' || cell === null) return cell
  throw new UnreadableAnswer('a cell that is no text, number or boolean')
}
