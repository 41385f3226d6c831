import { type Column, isAge, isSeen, type Row } from './live-table.js'
import { mayHaveTone } from './tones.js'

/** Widths of the columns of a table, shared by headers and cells. */

const letterPx = 8
const paddingPx = 32
/** The coloured dot before a status. */
const dotPx = 18
const [leastPx, mostPx, mostOfLongPx] = [76, 300, 520]
const measuredRows = 300
/** Columns that take the remaining width. */
const isLong = ({ name }: Column) => name === 'Name' || name === 'Message'

export interface ShownColumn {
  readonly column: Column
  /** Its position in the cells of a row; -1 for the namespace. */
  readonly at: number
}

/** In pixels: fits the longest of the first cells, and distributes the remaining space. */
export function widthsOf(
  columns: readonly ShownColumn[],
  rows: readonly Row[],
  given: Readonly<Record<string, number>>,
  available: number,
): number[] {
  const sample = rows.slice(0, measuredRows)
  const natural = columns.map(({ column, at }) => {
    const set = given[column.name]
    if (set !== undefined) return set
    if (isAge(column) || isSeen(column)) return Math.max(86, (column.name.length + 2) * letterPx + paddingPx)
    const longest = sample.reduce(
      (most, row) => Math.max(most, at < 0 ? row.namespace.length : String(row.cells[at] ?? '').length),
      column.name.length + 2,
    )
    const dot = mayHaveTone(column.name) ? dotPx : 0
    return Math.min(Math.max(longest * letterPx + paddingPx + dot, leastPx), isLong(column) ? mostOfLongPx : mostPx)
  })
  const left = available - natural.reduce((sum, width) => sum + width, 0)
  if (left <= 0) return natural.map(Math.round)
  const growing = columns.map(({ column }) => (given[column.name] === undefined ? (isLong(column) ? 3 : 1) : 0))
  const parts = growing.reduce((sum: number, part) => sum + part, 0)
  return natural.map((width, at) => Math.floor(width + (parts > 0 ? (left * growing[at]!) / parts : 0)))
}
export const leastWidth = 48
