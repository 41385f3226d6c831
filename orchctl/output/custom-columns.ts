import { UsageError } from '../usage-error.js'
import { follow } from './json-path.js'
import { readPath, type Step } from './json-path-reader.js'
import { printed } from './json-path-template.js'

/** A column somebody asked for. */
export interface CustomColumn {
  readonly header: string
  readonly path: readonly Step[]
}

/** Reads `NAME:.metadata.name,IMAGE:.spec.containers[*].image`. Commas in brackets do not end a column. */
export function readCustomColumns(spec: string): CustomColumn[] {
  const parts = spec.match(/(?:\[[^\]]*(?:\]|$)|[^,[])+/g) ?? []
  if (parts.length === 0) throw new UsageError('custom-columns needs columns: -o custom-columns=NAME:.metadata.name')
  return parts.map(part => {
    const colon = part.indexOf(':')
    if (colon <= 0) throw new UsageError(`"${part}" is no column; write HEADER:.path, such as NAME:.metadata.name`)
    return { header: part.slice(0, colon), path: readPath(part.slice(colon + 1).replace(/^\{(.*)\}$/s, '$1')) }
  })
}

/** The cells of one object; what is not there is `<none>`. */
export const customCells = (columns: readonly CustomColumn[], object: unknown): string[] =>
  columns.map(({ path }) => {
    const values = follow(path, [object], object).filter(value => value !== undefined && value !== null)
    return values.length === 0 ? '<none>' : values.map(printed).join(',')
  })
