import { type ApiObject, ageOf } from 'orch/sdk'

/** The Table that a server returns for a collection or an object. */
export interface ServerTable {
  readonly kind?: string
  readonly columnDefinitions?: readonly TableColumn[]
  readonly rows?: readonly TableRow[]
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
}
export interface TableColumn {
  readonly name: string
  readonly type?: string
  readonly priority?: number
}
export interface TableRow {
  readonly cells: readonly unknown[]
  readonly object?: ApiObject
}

/** Which columns to show in addition to those of the server. */
export interface TableLayout {
  readonly wide: boolean
  readonly withNamespace: boolean
  /** Prefix of every name, such as `configmap/`, if several types are shown. */
  readonly namePrefix: string
  readonly labelColumns: readonly string[]
  readonly withLabels: boolean
}

/** A server without support for tables returns objects; they are shown by name and age. */
export function asTable(answer: unknown, now: number): ServerTable {
  const table = answer as ServerTable & { items?: readonly ApiObject[] }
  if (table.kind === 'Table') return table
  const objects = Array.isArray(table.items) ? table.items : [answer as ApiObject]
  return {
    kind: 'Table',
    ...(table.metadata ? { metadata: table.metadata } : {}),
    columnDefinitions: [{ name: 'Name' }, { name: 'Age' }],
    rows: objects.map(object => ({
      cells: [object.metadata.name, ageOf(object.metadata.creationTimestamp, now)],
      object,
    })),
  }
}

const shownIndexes = (columns: readonly TableColumn[], wide: boolean) =>
  columns.map((_, index) => index).filter(index => wide || (columns[index]?.priority ?? 0) === 0)

/** The header of a table in this layout. */
export function headerOf(columns: readonly TableColumn[], layout: TableLayout): string[] {
  return [
    ...(layout.withNamespace ? ['Namespace'] : []),
    ...shownIndexes(columns, layout.wide).map(index => columns[index]?.name ?? ''),
    ...layout.labelColumns.map(label => label.split('/').at(-1) ?? label),
    ...(layout.withLabels ? ['Labels'] : []),
  ]
}

/** The cells of one row in this layout. */
export function cellsOf(row: TableRow, columns: readonly TableColumn[], layout: TableLayout): string[] {
  const { namespace, labels = {} } = row.object?.metadata ?? {}
  const own = shownIndexes(columns, layout.wide).map(index => cellText(row.cells[index]))
  if (layout.namePrefix !== '') own[0] = layout.namePrefix + (own[0] ?? '')
  const all = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return [
    ...(layout.withNamespace ? [namespace ?? ''] : []),
    ...own,
    ...layout.labelColumns.map(label => labels[label] ?? ''),
    ...(layout.withLabels ? [all.length === 0 ? '<none>' : all.sort().join(',')] : []),
  ]
}

const cellText = (cell: unknown) =>
  cell === null || cell === undefined ? '' : typeof cell === 'string' ? cell : JSON.stringify(cell)
