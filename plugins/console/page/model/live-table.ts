import { batch, signal } from '@preact/signals'
import { type Anything, type ApiFailure, askAhead, type Metadata, requestJson } from './api.js'
import { naturalOrder } from './natural-order.js'
import { type CollectionType, collectionPath } from './paths.js'
import type { ResourceType } from './resource-type.js'
import { settings } from './session.js'
import { readSpan } from './times.js'
import { follow, type LiveState } from './watch.js'

export interface Column {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}
export interface Row {
  readonly key: string
  readonly name: string
  readonly namespace: string
  readonly created: number
  readonly isTerminating: boolean
  readonly labels: Readonly<Record<string, string>>
  readonly cells: readonly unknown[]
  /** The times behind cells that show an age, in ms since the epoch, by the index of the cell. */
  readonly times: Readonly<Record<number, number>>
  /** Everything that the text filter searches, in lower case. */
  readonly text: string
}
export interface TableQuery {
  readonly namespace: string
  readonly labelSelector: string
  readonly fieldSelector: string
}

/** The first page is small, so that it is shown while the others are loading. */
const pageRows = 40
const laterPageRows = 2000

const tableAccept = () => `application/json;as=Table;v=v1;g=${settings.value.metaGroup}`
function tablePath(type: CollectionType, { namespace, labelSelector, fieldSelector }: TableQuery): string {
  const query = new URLSearchParams()
  if (labelSelector) query.set('labelSelector', labelSelector)
  if (fieldSelector) query.set('fieldSelector', fieldSelector)
  return `${collectionPath(type, namespace)}?${query}`
}
const firstPage = (path: string) => `${path}&limit=${pageRows}`

/** Requests the first rows before the type is known: an address with a namespace is that of a namespaced type. */
export function askForTable(type: Omit<CollectionType, 'isNamespaced'>, query: TableQuery): Promise<unknown> {
  return askAhead(firstPage(tablePath({ ...type, isNamespaced: query.namespace !== '' }, query)), {
    Accept: tableAccept(),
  })
}

/** The objects of a type in the server's Table representation, kept up to date by a watch. */
export class LiveTable {
  readonly columns = signal<readonly Column[]>([])
  /** Incremented when rows change, at most once per frame. */
  readonly changes = signal(0)
  readonly state = signal<LiveState>('loading')
  readonly failure = signal<ApiFailure | undefined>(undefined)
  /** The number of rows that are not loaded yet. */
  readonly remaining = signal(0)
  #rows = new Map<string, Row>()
  /** All rows in the order that was last requested. */
  #order: { readonly by: string; readonly rows: readonly Row[] } | undefined
  /** Keys of rows that have changed since. */
  readonly #touched = new Set<string>()
  #isAnnounced = false
  readonly #type: ResourceType
  readonly #path: string
  readonly #close: () => void

  constructor(type: ResourceType, { namespace, labelSelector, fieldSelector }: TableQuery) {
    this.#type = type
    this.#path = tablePath(type, { namespace, labelSelector, fieldSelector })
    const accept = tableAccept()
    const canWatch = type.verbs.includes('watch')
    this.#close = follow({
      list: signal => this.#list(accept, signal, canWatch),
      watchPath: this.#path,
      accept,
      event: (kind, table) => this.#event(kind, table),
      state: (state, failure) => {
        this.state.value = state
        if (state !== 'loading') this.failure.value = failure
      },
    })
  }

  get rows(): ReadonlyMap<string, Row> {
    return this.#rows
  }
  close(): void {
    this.#close()
  }

  async #list(accept: string, signal: AbortSignal, canWatch: boolean): Promise<string> {
    const isFirst = this.#rows.size === 0
    // The previous rows stay until all new ones have been read.
    const rows = isFirst ? this.#rows : new Map<string, Row>()
    let next = ''
    let version = ''
    do {
      const page =
        next === ''
          ? firstPage(this.#path)
          : `${this.#path}&limit=${laterPageRows}&continue=${encodeURIComponent(next)}`
      const table = await requestJson(page, { headers: { Accept: accept }, signal })
      const isFirstPage = next === ''
      next = table.metadata.continue ?? ''
      version = table.metadata.resourceVersion
      batch(() => {
        this.#takeColumns(table)
        for (const each of table.rows ?? []) {
          const row = this.#rowOf(each)
          rows.set(row.key, row)
          if (isFirst) this.#touched.add(row.key)
        }
        this.remaining.value = next === '' ? 0 : (table.metadata.remainingItemCount ?? 0)
        // The first rows are rendered together with their headers, not a frame later.
        if (isFirst && isFirstPage) this.changes.value++
        else if (isFirst) this.#announce()
      })
    } while (next !== '')
    this.#rows = rows
    if (!isFirst) this.#order = undefined
    this.#announce()
    if (!canWatch) {
      this.state.value = 'live'
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    }
    return version
  }

  #takeColumns(table: Anything): void {
    if (!table.columnDefinitions?.length) return
    const columns: readonly Column[] = table.columnDefinitions.map((each: Anything) => ({
      name: each.name,
      type: each.type,
      format: each.format ?? '',
      description: each.description ?? '',
      priority: each.priority ?? 0,
    }))
    // Renders only if a definition has changed.
    if (JSON.stringify(columns) === JSON.stringify(this.columns.value)) return
    this.#order = undefined
    this.columns.value = columns
  }

  #event(type: string, table: Anything): void {
    this.#takeColumns(table)
    for (const each of table.rows ?? []) {
      const row = this.#rowOf(each)
      this.#touched.add(row.key)
      if (type === 'DELETED') this.#rows.delete(row.key)
      else this.#rows.set(row.key, row)
    }
    this.#announce()
  }

  #rowOf({ cells, object }: Anything): Row {
    const { name, namespace = '', uid, creationTimestamp, deletionTimestamp, labels = {} } = object.metadata as Metadata
    const shown = (cells as unknown[]).map(cell => (cell === null || cell === undefined ? '' : cell))
    return {
      key: uid ?? `${namespace}/${name}`,
      name,
      namespace,
      created: Date.parse(creationTimestamp ?? '') || 0,
      isTerminating: deletionTimestamp !== undefined,
      labels,
      cells: shown,
      times: this.#timesIn(shown),
      text: `${namespace} ${shown.filter((_, at) => !this.#isAgeAt(at)).join(' ')} ${Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(' ')}`.toLowerCase(),
    }
  }

  /** Ages are computed from times: the server's text is outdated soon. */
  #isAgeAt(at: number): boolean {
    const column = this.columns.value[at]
    return column !== undefined && (isAge(column) || isSeen(column))
  }
  #timesIn(cells: readonly unknown[]): Row['times'] {
    const times: Record<number, number> = {}
    this.columns.value.forEach((column, at) => {
      const age = isSeen(column) ? readSpan(String(cells[at])) : undefined
      if (age !== undefined) times[at] = Date.now() - age
    })
    return times
  }

  #announce(): void {
    if (this.#isAnnounced) return
    this.#isAnnounced = true
    const tell = () => {
      this.#isAnnounced = false
      this.changes.value++
    }
    // Hidden tabs have no frames.
    if (document.hidden) setTimeout(tell, 100)
    else requestAnimationFrame(tell)
  }

  /** The rows that contain every word, sorted by a column. */
  arranged(words: string, sortBy: string, isDescending: boolean): readonly Row[] {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
    const all = this.#ordered(sortBy)
    const rows = wanted.length === 0 ? all : all.filter(({ text }) => wanted.every(word => text.includes(word)))
    return isDescending ? [...rows].reverse() : rows
  }
  /** Merges changed rows into the last order: sorting a hundred thousand rows for each event would be too slow. */
  #ordered(by: string): readonly Row[] {
    const compare = this.#comparison(by)
    const isBefore = (left: Row, right: Row) => (compare(left, right) || byName(left, right)) <= 0
    if (this.#order?.by !== by) {
      this.#order = {
        by,
        rows: [...this.#rows.values()].sort((left, right) => compare(left, right) || byName(left, right)),
      }
    } else if (this.#touched.size > 0) {
      const fresh = [...this.#touched].flatMap(key => this.#rows.get(key) ?? [])
      fresh.sort((left, right) => compare(left, right) || byName(left, right))
      const merged: Row[] = []
      let next = 0
      for (const row of this.#order.rows) {
        if (this.#touched.has(row.key)) continue
        while (next < fresh.length && isBefore(fresh[next]!, row)) merged.push(fresh[next++]!)
        merged.push(row)
      }
      while (next < fresh.length) merged.push(fresh[next++]!)
      this.#order = { by, rows: merged }
    }
    this.#touched.clear()
    return this.#order.rows
  }
  #comparison(sortBy: string): (left: Row, right: Row) => number {
    if (sortBy === 'Namespace') return byName
    const at = this.columns.value.findIndex(({ name }) => name === sortBy)
    const column = this.columns.value[at]
    if (!column) return byName
    // Ascending ages: the newest comes first.
    if (isSeen(column)) return (left, right) => (right.times[at] ?? 0) - (left.times[at] ?? 0)
    if (isAge(column)) return (left, right) => right.created - left.created
    if (column.type === 'integer' || column.type === 'number')
      return (left, right) => Number(left.cells[at]) - Number(right.cells[at])
    return (left, right) => naturalOrder(String(left.cells[at]), String(right.cells[at]))
  }
  get type(): ResourceType {
    return this.#type
  }
}

/** Columns that show how long ago something happened. */
export const isSeen = ({ name }: Column): boolean =>
  name === 'Last Seen' || name === 'First Seen' || name === 'Last Schedule'
export const isAge = ({ name }: Column): boolean => name === 'Age'
// Plain comparison: a collator is too slow for fifty thousand names.
const byName = (left: Row, right: Row) =>
  left.namespace < right.namespace
    ? -1
    : left.namespace > right.namespace
      ? 1
      : left.name < right.name
        ? -1
        : left.name > right.name
          ? 1
          : 0
