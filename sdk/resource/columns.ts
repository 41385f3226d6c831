import { writeJson } from '../../libs/json/index.js'
import type { Lifespan } from '../plugin/level.js'
import { readJsonPath } from './json-path.js'
import type { ApiObject } from './meta.js'

/** A cell of the Table representation. */
export type Cell = string | number | boolean | null

/** One printed column of a type. Priority 0 is always shown, higher ones in wide output. */
export interface Column<T = ApiObject> extends Lifespan {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly priority?: number
  readonly description: string
  /** The path of the value, for a column that shows nothing else, as in a CustomResourceDefinition. Set by `pathColumn`. */
  readonly jsonPath?: string
  /** The object is in the storage version, whichever one was asked for. `now` is ms since the epoch, for ages. */
  cell(object: T, now: number): Cell
}

/** A hint for clients about a row: `Completed` means that the object will not change again. */
export interface RowCondition {
  readonly type: 'Completed'
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
}

/** A duration for people: `12s`, `5m30s`, `3h`, `2d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`
  if (days < 365 * 2) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? (days % 365 === 0 ? `${years}y` : `${years}y${days % 365}d`) : `${years}y`
}

/** The age of a timestamp for a column, or `<unknown>`. */
export function ageOf(timestamp: string | undefined | null, now: number): string {
  return timestamp ? humanDuration(now - Date.parse(timestamp)) : '<unknown>'
}

/** The name of the object; the first column of almost every type. */
export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique within its namespace and kind.',
  cell: object => object.metadata.name ?? '',
}
/** The age of the object; the last column of almost every type. */
export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
  cell: (object, now) => ageOf(object.metadata.creationTimestamp, now),
}

/** A column that shows the value at a path such as `.spec.size` or `.status.conditions[?(@.type=="Ready")].status`. */
export function pathColumn(column: Omit<Column, 'cell'> & { readonly jsonPath: string }): Column {
  const { jsonPath, type } = column
  const find = readJsonPath(jsonPath)
  return {
    ...column,
    cell: (object, now) => {
      const [value] = find?.(object) ?? []
      // Clients expect this text for null.
      if (value === null && type === 'string') return '<no value>'
      return value === undefined || value === null ? null : cellOf(value, type, now)
    },
  }
}

/** Only RFC 3339, and none of the other formats that `Date.parse` accepts. */
const isTimestamp = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text))

function cellOf(value: unknown, type: Column['type'], now: number): Cell {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      if (typeof value !== 'string') return null
      if (value === '' || value === 'null') return ageOf(undefined, now)
      return isTimestamp(value) ? ageOf(value, now) : '<invalid>'
    default:
      return typeof value === 'object' ? writeJson(value) : String(value)
  }
}
