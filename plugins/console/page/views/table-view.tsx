import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { may } from '../model/access.js'
import { requestJson } from '../model/api.js'
import { chosenNamespace, type ResourceType, types, typeView } from '../model/catalogue.js'
import { type Column, isAge, LiveTable, type Row } from '../model/live-table.js'
import { viewOf } from '../model/owner-tree.js'
import { collectionPath } from '../model/paths.js'
import { navigate, setQuery } from '../model/route.js'
import { Ago, Failure, Live } from './parts.js'

const rowHeight = 36
/** Rows beyond the visible ones, so that fast scrolling shows no gaps. */
const spareRows = 12

/** The objects of a type: live, sorted, filtered, and only as many elements as fit on the screen. */
export function TableView({ type, query }: { type: ResourceType; query: URLSearchParams }) {
  const get = (name: string) => query.get(name) ?? ''
  const [namespace, labels, fields] = [get('ns'), get('labels'), get('fields')]
  const table = useMemo(
    () => new LiveTable(type, { namespace, labelSelector: labels, fieldSelector: fields }),
    [type.group, type.version, type.resource, namespace, labels, fields],
  )
  useEffect(() => () => table.close(), [table])
  useEffect(() => {
    if (type.isNamespaced) chosenNamespace.value = namespace
  }, [namespace])
  const failure = table.failure.value
  const isCreatable = type.verbs.includes('create')
  return (
    <div class="view table-view">
      <header class="title">
        <h1>
          <bdi>{type.kind}</bdi>
        </h1>
        <Live state={table.state.value} />
        <span class="spacer" />
        {isCreatable && (
          <a
            class="button primary"
            href={`#${typeView(type).replace('/r/', '/new/')}${namespace && `?ns=${encodeURIComponent(namespace)}`}`}
            aria-disabled={may('create', type.group, type.resource, namespace) === false}
            title={may('create', type.group, type.resource, namespace) === false ? 'Not permitted' : undefined}
          >
            Create
          </a>
        )}
      </header>
      <Filters
        type={type}
        text={get('text')}
        namespace={namespace}
        labels={labels}
        fields={fields}
        isWide={get('wide') !== ''}
      />
      {failure ? (
        <Failure failure={failure} />
      ) : (
        <Grid table={table} query={query} isWithNamespace={type.isNamespaced && !namespace} />
      )}
    </div>
  )
}

interface FilterProps {
  readonly type: ResourceType
  readonly text: string
  readonly namespace: string
  readonly labels: string
  readonly fields: string
  readonly isWide: boolean
}
function Filters({ type, text, namespace, labels, fields, isWide }: FilterProps) {
  const namespaces = useSignal<readonly string[]>([])
  const loadNamespaces = () => {
    const spaces = types.value.find(each => each.group === '' && each.resource === 'namespaces')
    if (!spaces || namespaces.value.length > 0) return
    void requestJson(`${collectionPath(spaces)}?limit=1000`).then(
      ({ items }) => (namespaces.value = items.map((each: { metadata: { name: string } }) => each.metadata.name)),
      () => {},
    )
  }
  const onEnter = (name: string) => (event: Event) =>
    setQuery({ [name]: (event.currentTarget as HTMLInputElement).value.trim() })
  return (
    <div class="filters" role="search">
      <input
        type="search"
        name="text"
        placeholder="Filter rows ( / )"
        aria-label="Filter rows by text"
        value={text}
        onInput={event => setQuery({ text: event.currentTarget.value })}
      />
      {type.isNamespaced && (
        <>
          <input
            list="namespaces"
            placeholder="All namespaces"
            aria-label="Namespace"
            value={namespace}
            onFocus={loadNamespaces}
            onChange={onEnter('ns')}
          />
          <datalist id="namespaces">
            {namespaces.value.map(name => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
      <input
        placeholder="Label selector"
        aria-label="Label selector"
        spellcheck={false}
        value={labels}
        onChange={onEnter('labels')}
      />
      <input
        placeholder="Field selector"
        aria-label="Field selector"
        spellcheck={false}
        value={fields}
        onChange={onEnter('fields')}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={isWide}
          onChange={event => setQuery({ wide: event.currentTarget.checked ? '1' : '' })}
        />
        All columns
      </label>
    </div>
  )
}

function Grid({
  table,
  query,
  isWithNamespace,
}: {
  table: LiveTable
  query: URLSearchParams
  isWithNamespace: boolean
}) {
  const [text, sortBy, isDescending] = [query.get('text') ?? '', query.get('sort') ?? 'Name', query.has('desc')]
  const top = useSignal(0)
  const height = useSignal(600)
  const active = useSignal(-1)
  const scroller = useRef<HTMLDivElement>(null)
  const arranged = useMemo(
    () => table.arranged(text, sortBy, isDescending),
    [table, table.changes.value, text, sortBy, isDescending],
  )
  const columns = table.columns.value
    .map((column, at) => ({ column, at }))
    .filter(({ column }) => column.priority === 0 || query.has('wide'))
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => (height.value = element.clientHeight)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const first = useComputed(() => Math.max(0, Math.floor(top.value / rowHeight) - spareRows))
  const shown = arranged.slice(first.value, first.value + Math.ceil(height.value / rowHeight) + 2 * spareRows)
  const open = (row: Row | undefined) => row && navigate(viewOf(table.type, row.namespace, row.name))
  const move = (to: number) => {
    active.value = Math.max(0, Math.min(to, arranged.length - 1))
    const element = scroller.current
    if (!element) return
    const at = active.value * rowHeight
    if (at < element.scrollTop) element.scrollTop = at
    else if (at + 2 * rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + 2 * rowHeight - element.clientHeight
  }
  const onKey = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height.value / rowHeight) - 2)
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      j: 1,
      k: -1,
      PageDown: page,
      PageUp: -page,
    }
    const to =
      event.key === 'Home' ? 0 : event.key === 'End' ? arranged.length - 1 : active.value + (steps[event.key] ?? 0)
    if (event.ctrlKey || event.metaKey || event.target !== event.currentTarget) return
    if (event.key === 'Enter') open(arranged[active.value])
    else if (to === active.value) return
    else move(to)
    event.preventDefault()
  }
  const all = [...(isWithNamespace ? [{ column: namespaceColumn, at: -1 }] : []), ...columns]
  const template = all
    .map(({ column }) =>
      column.name === 'Name' ? 'minmax(11rem, 2.2fr)' : isAge(column) ? '5.5rem' : 'minmax(6rem, 1.2fr)',
    )
    .join(' ')
  return (
    <>
      <p class="muted small count" role="status">
        {arranged.length.toLocaleString('en')} {arranged.length === 1 ? 'row' : 'rows'}
        {arranged.length !== table.rows.size && ` of ${table.rows.size.toLocaleString('en')}`}
        {table.remaining.value > 0 && `, ${table.remaining.value.toLocaleString('en')} more on their way`}
      </p>
      <div
        class="grid"
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={`${table.type.kind} objects`}
        aria-rowcount={arranged.length + 1}
        aria-activedescendant={active.value >= 0 ? `row-${active.value}` : undefined}
        onScroll={event => (top.value = event.currentTarget.scrollTop)}
        onKeyDown={onKey}
      >
        <div role="rowgroup" class="head">
          <div role="row" class="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
            {all.map(({ column: { name, description } }) => (
              <div
                key={name}
                role="columnheader"
                aria-sort={name !== sortBy ? 'none' : isDescending ? 'descending' : 'ascending'}
              >
                <button
                  type="button"
                  title={description}
                  onClick={() => setQuery({ sort: name, desc: name === sortBy && !isDescending ? '1' : undefined })}
                >
                  {name}
                  <span aria-hidden="true">{name !== sortBy ? '' : isDescending ? '↓' : '↑'}</span>
                </button>
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" class="body" style={{ height: `${arranged.length * rowHeight}px` }}>
          {shown.map((row, at) => (
            <div
              key={row.key}
              id={`row-${first.value + at}`}
              role="row"
              aria-rowindex={first.value + at + 2}
              aria-selected={active.value === first.value + at}
              class={row.isTerminating ? 'row terminating' : 'row'}
              style={{ gridTemplateColumns: template, top: `${(first.value + at) * rowHeight}px` }}
            >
              {all.map(({ column, at: cell }) => (
                <div
                  key={column.name}
                  role="gridcell"
                  title={cell < 0 || isAge(column) ? undefined : String(row.cells[cell])}
                >
                  <Cell table={table} row={row} column={column} at={cell} />
                </div>
              ))}
            </div>
          ))}
        </div>
        {arranged.length === 0 && table.state.value !== 'loading' && (
          <p class="muted pad">Nothing here{text && ' that matches'}.</p>
        )}
      </div>
    </>
  )
}

const namespaceColumn: Column = { name: 'Namespace', type: 'string', format: '', description: '', priority: 0 }

function Cell({ table, row, column, at }: { table: LiveTable; row: Row; column: Column; at: number }) {
  if (at < 0) return <bdi>{row.namespace}</bdi>
  if (isAge(column)) return <Ago time={row.created} />
  const text = String(row.cells[at] ?? '')
  if (column.name !== 'Name') return <bdi>{text}</bdi>
  return (
    <>
      <a href={`#${viewOf(table.type, row.namespace, row.name)}`} tabIndex={-1}>
        <bdi>{row.name}</bdi>
      </a>
      {row.isTerminating && <span class="tag bad">Terminating</span>}
    </>
  )
}
