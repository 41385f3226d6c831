import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type ShownColumn, widthsOf } from '../model/column-widths.js'
import type { Column, LiveTable, Row } from '../model/live-table.js'
import { viewOf } from '../model/owner-tree.js'
import { type ColumnChoice, columnChoices, typeKey } from '../model/preferences.js'
import { navigate } from '../model/route.js'
import { ColumnMenu } from './column-menu.js'
import { DeleteMany } from './delete-many.js'
import { EmptyTable } from './empty-table.js'
import { GridHeader } from './grid-header.js'
import { GridRow, rowHeight } from './grid-row.js'
import { whole } from './numbers.js'
import { notify } from './parts.js'

/** Rows above and below the visible ones, so that fast scrolling shows no gaps. */
const spareRows = 12
const spareAfterMs = 300
/** Columns that are not the server's: the checkbox and the menu of a row. */
const [selectPx, menuPx] = [40, 44]

interface Props {
  readonly table: LiveTable
  readonly query: URLSearchParams
  readonly isWithNamespace: boolean
  /** The link to create an object; undefined if that is not permitted. */
  readonly createAt: string | undefined
}

const namespaceColumn: Column = { name: 'Namespace', type: 'string', format: '', description: '', priority: 0 }

/** A virtualized table: only visible rows are elements. */
export function Grid({ table, query, isWithNamespace, createAt }: Props) {
  const { type } = table
  // Of events, the newest are the most interesting.
  const ownOrder = type.resource === 'events' ? 'Last Seen' : 'Name'
  const [text, sortBy, isDescending] = [query.get('text') ?? '', query.get('sort') ?? ownOrder, query.has('desc')]
  const top = useSignal(0)
  const spare = useSignal(0)
  const size = useSignal({ width: 900, height: 600 })
  const active = useSignal(-1)
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const deleted = useSignal<readonly Row[] | undefined>(undefined)
  const scroller = useRef<HTMLDivElement>(null)
  const arranged = useMemo(
    () => table.arranged(text, sortBy, isDescending),
    [table, table.changes.value, text, sortBy, isDescending],
  )
  const choice: ColumnChoice = columnChoices.value[typeKey(type)] ?? {}
  const choose = (next: ColumnChoice) => {
    columnChoices.value = { ...columnChoices.value, [typeKey(type)]: next }
  }
  const all = table.columns.value.map((column, at) => ({ column, at }))
  const isShown = ({ name, priority }: Column) =>
    choice.shown ? choice.shown.includes(name) : priority === 0 || query.has('wide')
  const shownColumns: ShownColumn[] = [
    ...(isWithNamespace ? [{ column: namespaceColumn, at: -1 }] : []),
    ...all.filter(({ column }) => isShown(column)),
  ]
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // The observer reports the initial size, too; reading it here would force another layout.
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight }
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // Computed from the first rows only: columns that move with every event would be unreadable.
  const hasRows = arranged.length > 0
  const widths = useMemo(
    () => widthsOf(shownColumns, arranged, choice.widths ?? {}, size.value.width - selectPx - menuPx - 2),
    [table, hasRows, size.value.width, shownColumns.map(({ column }) => column.name).join(), choice.widths],
  )
  const template = `${selectPx}px ${widths.map(width => `${width}px`).join(' ')} ${menuPx}px`
  const width = widths.reduce((sum, each) => sum + each, selectPx + menuPx)
  // Visible rows are rendered first.
  useEffect(() => {
    const timer = setTimeout(() => (spare.value = spareRows), spareAfterMs)
    return () => clearTimeout(timer)
  }, [hasRows])
  const first = useComputed(() => Math.max(0, Math.floor(top.value / rowHeight) - spare.value))
  const shown = arranged.slice(first.value, first.value + Math.ceil(size.value.height / rowHeight) + 2 * spare.value)
  const toggle = (row: Row | undefined) => {
    if (!row) return
    const next = new Set(selected.value)
    if (!next.delete(row.key)) next.add(row.key)
    selected.value = next
  }
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
    const page = Math.max(1, Math.floor(size.value.height / rowHeight) - 2)
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
    const row = arranged[active.value]
    if (event.key === 'Enter') row && navigate(viewOf(type, row.namespace, row.name))
    else if (event.key === ' ' || event.key === 'x') toggle(row)
    else if (to === active.value) return
    else move(to)
    event.preventDefault()
  }
  const chosenRows = () => [...table.rows.values()].filter(({ key }) => selected.value.has(key))
  const isAllSelected = arranged.length > 0 && arranged.every(({ key }) => selected.value.has(key))
  const linkAt = shownColumns.some(({ column }) => column.name === 'Name') ? 'Name' : shownColumns[0]?.column.name
  return (
    <>
      <div class="above-grid">
        <p class="muted small count" role="status">
          {whole(arranged.length)} {arranged.length === 1 ? 'row' : 'rows'}
          {arranged.length !== table.rows.size && ` of ${whole(table.rows.size)}`}
          {table.remaining.value > 0 && `, ${whole(table.remaining.value)} more loading`}
        </p>
        {selected.value.size > 0 && (
          <fieldset class="selection" aria-label="Selected rows">
            <span>{whole(selected.value.size)} selected</span>
            {type.verbs.includes('delete') && (
              <button type="button" class="danger" onClick={() => (deleted.value = chosenRows())}>
                Delete…
              </button>
            )}
            <button
              type="button"
              onClick={() => {
                void navigator.clipboard?.writeText(
                  chosenRows()
                    .map(({ name }) => name)
                    .join('\n'),
                )
                notify('Names copied.')
              }}
            >
              Copy names
            </button>
            <button type="button" onClick={() => (selected.value = new Set())}>
              Clear
            </button>
          </fieldset>
        )}
        <span class="spacer" />
        <ColumnMenu
          columns={all.map(({ column }) => column)}
          isShown={isShown}
          onChoose={shownNames => choose({ ...choice, shown: shownNames })}
          onReset={() => choose({})}
        />
      </div>
      <div
        class="grid"
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={`${type.kind} objects`}
        aria-rowcount={arranged.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={active.value >= 0 ? `row-${active.value}` : undefined}
        onScroll={event => (top.value = event.currentTarget.scrollTop)}
        onKeyDown={onKey}
        style={{ '--columns': template, '--width': `${width}px` }}
      >
        <div role="rowgroup" class="head">
          <div role="row" class="row" aria-rowindex={1}>
            <div role="columnheader" class="select">
              <input
                type="checkbox"
                aria-label="Select all rows"
                checked={isAllSelected}
                onChange={() => (selected.value = isAllSelected ? new Set() : new Set(arranged.map(({ key }) => key)))}
              />
            </div>
            {shownColumns.map(({ column }, at) => (
              <GridHeader
                key={column.name}
                column={column}
                order={column.name !== sortBy ? 'none' : isDescending ? 'descending' : 'ascending'}
                width={widths[at] ?? 0}
                onResize={next => choose({ ...choice, widths: { ...choice.widths, [column.name]: next } })}
              />
            ))}
            <div role="columnheader" class="row-menu">
              <span class="unseen">Actions</span>
            </div>
          </div>
        </div>
        <div role="rowgroup" class="body" style={{ height: `${arranged.length * rowHeight}px` }}>
          {shown.map((row, at) => (
            <GridRow
              key={row.key}
              table={table}
              row={row}
              at={first.value + at}
              columns={shownColumns}
              linkAt={linkAt}
              active={active}
              isSelected={selected.value.has(row.key)}
              onToggle={() => toggle(row)}
              onDelete={() => (deleted.value = [row])}
            />
          ))}
        </div>
        {arranged.length === 0 && table.state.value !== 'loading' && (
          <div role="rowgroup">
            <div role="row">
              <div role="gridcell">
                <EmptyTable type={type} isFiltered={table.rows.size > 0 || text !== ''} createAt={createAt} />
              </div>
            </div>
          </div>
        )}
      </div>
      {deleted.value && (
        <DeleteMany
          type={type}
          rows={deleted.value}
          onClose={() => (deleted.value = undefined)}
          onDone={() => (selected.value = new Set())}
        />
      )}
    </>
  )
}
