import { type ApiObject, badRequest, type Column, nameColumn, type RowCondition, type Vendor } from 'orch/sdk'
import { cellOf, outsideCellsOf } from '../contracts/outside-cells.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import { partialMetadata } from './partial-metadata.js'

export type IncludeObject = 'None' | 'Metadata' | 'Object'

const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was created.',
  cell: object => object.metadata.creationTimestamp ?? null,
}
type RowConditions = (object: ApiObject) => readonly RowCondition[]
const defaultColumns: readonly Column[] = [nameColumn, createdAtColumn]

/** Reads `includeObject`; a 400 for an unknown value. */
export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? ''
  if (value === '') return 'Metadata'
  if (value !== 'None' && value !== 'Metadata' && value !== 'Object') {
    throw badRequest(`unrecognized includeObject value: ${JSON.stringify(value.slice(0, 64))}`)
  }
  return value
}

/** Objects as rows of printed columns. */
export class TableMaker {
  readonly #vendor: Vendor
  readonly #now: () => number
  constructor(vendor: Vendor, now: () => number) {
    this.#vendor = vendor
    this.#now = now
  }

  make(
    type: ResourceType,
    version: CompiledVersion,
    metaVersion: string,
    objects: readonly ApiObject[],
    listMeta: object,
    include: IncludeObject,
    withColumns = true,
  ): Record<string, unknown> {
    return {
      ...this.start(metaVersion),
      metadata: listMeta,
      ...(withColumns ? this.columns(version) : { columnDefinitions: null }),
      rows: this.rows(type, version, metaVersion, objects, include),
    }
  }

  /** The answer of an action, such as a scale, as a Table. */
  single(
    version: CompiledVersion,
    metaVersion: string,
    object: ApiObject,
    include: IncludeObject,
  ): Record<string, unknown> {
    const now = this.#now()
    const shown = include === 'Object' ? object : partialMetadata(this.#vendor, metaVersion, object)
    return {
      ...this.start(metaVersion),
      metadata: { resourceVersion: object.metadata.resourceVersion },
      ...this.columns(version),
      rows: [
        { cells: columnsOf(version).map(({ cell }) => cell(object, now)), object: include === 'None' ? null : shown },
      ],
    }
  }

  /** The first fields of a Table. */
  start(metaVersion: string): Record<string, unknown> {
    return { kind: 'Table', apiVersion: `${this.#vendor.metaGroup}/${metaVersion}` }
  }
  columns(version: CompiledVersion): { columnDefinitions: unknown[] } {
    return { columnDefinitions: columnsOf(version).map(columnDefinition) }
  }
  /** Whether some cells are computed in another process. If so, call `prepare` before `rows`. */
  areOutside(version: CompiledVersion): boolean {
    return outsideCellsOf(columnsOf(version)) !== undefined
  }
  prepare(type: ResourceType, version: CompiledVersion, objects: readonly ApiObject[]): void | Promise<void> {
    const cells = outsideCellsOf(columnsOf(version))
    const stored = () => objects.map(object => type.storedFormOf(object, version))
    if (cells) return cells.prepare(objects, stored(), this.#now())
  }
  rows(
    type: ResourceType,
    version: CompiledVersion,
    metaVersion: string,
    objects: readonly ApiObject[],
    include: IncludeObject,
  ): unknown[] {
    const columns = columnsOf(version)
    const rowConditions = type.definition.rowConditions as RowConditions | undefined
    const now = this.#now()
    const isOutside = outsideCellsOf(columns) !== undefined
    return objects.map(object => {
      // Columns are computed from the storage version, whichever was requested.
      const stored = type.storedFormOf(object, version)
      const conditions = rowConditions?.(stored) ?? []
      return {
        cells: isOutside
          ? columns.map(column => cellOf(column, object, stored, now))
          : columns.map(column => column.cell(stored, now)),
        ...(conditions.length > 0 ? { conditions } : {}),
        object: include === 'None' ? null : this.#rowObject(type, version, metaVersion, object, include),
      }
    })
  }

  #rowObject(
    type: ResourceType,
    version: CompiledVersion,
    metaVersion: string,
    object: ApiObject,
    include: IncludeObject,
  ): unknown {
    if (include === 'Object') return { kind: type.kind, apiVersion: version.groupVersion, ...object }
    return partialMetadata(this.#vendor, metaVersion, object)
  }
}

const columnsOf = (version: CompiledVersion): readonly Column[] =>
  (version.columns as readonly Column[] | undefined) ?? defaultColumns

function columnDefinition({ name, type, format = '', description, priority = 0 }: Column): Record<string, unknown> {
  return { name, type, format, description, priority }
}
