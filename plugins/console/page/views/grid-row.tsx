import type { Signal } from '@preact/signals'
import { mayWith } from '../model/access.js'
import type { ShownColumn } from '../model/column-widths.js'
import { type Column, isAge, isSeen, type LiveTable, type Row } from '../model/live-table.js'
import { viewOf } from '../model/owner-tree.js'
import { toneOf } from '../model/tones.js'
import { Menu, MenuItem } from './menu.js'
import { Ago } from './parts.js'

export const rowHeight = 36

interface RowProps {
  readonly table: LiveTable
  readonly row: Row
  readonly at: number
  readonly columns: readonly ShownColumn[]
  /** The column with the link, which covers the row. */
  readonly linkAt: string | undefined
  readonly active: Signal<number>
  readonly isSelected: boolean
  onToggle(): void
  onDelete(): void
}
/** A row of a table, which is a link and has a menu. */
export function GridRow({ table, row, at, columns, linkAt, active, isSelected, onToggle, onDelete }: RowProps) {
  const { type } = table
  const view = (tab = '') => `#${viewOf(type, row.namespace, row.name, tab)}`
  const classes = ['row', row.isTerminating ? 'terminating' : '', active.value === at ? 'active' : '']
  return (
    <div
      id={`row-${at}`}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={isSelected}
      class={classes.join(' ')}
      style={{ top: `${at * rowHeight}px` }}
    >
      <div role="gridcell" class="select">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${row.name}`}
          checked={isSelected}
          onChange={onToggle}
        />
      </div>
      {columns.map(({ column, at: cell }) => (
        <div
          key={column.name}
          role="gridcell"
          title={cell < 0 || isAge(column) || isSeen(column) ? undefined : String(row.cells[cell])}
        >
          {column.name === linkAt ? (
            <>
              <a href={view()} tabIndex={-1} class="row-link">
                <Cell row={row} column={column} at={cell} />
              </a>
              {row.isTerminating && <span class="tag bad">Terminating</span>}
            </>
          ) : (
            <Cell row={row} column={column} at={cell} />
          )}
        </div>
      ))}
      <div role="gridcell" class="row-menu">
        <Menu label={`Actions for ${row.name}`} face={<span aria-hidden="true">⋮</span>} isFixed>
          <MenuItem href={view()}>Open</MenuItem>
          {type.verbs.includes('patch') && <MenuItem href={view('yaml')}>Edit</MenuItem>}
          <MenuItem href={view('timeline')}>Timeline</MenuItem>
          <MenuItem href={view('tree')}>Owners and references</MenuItem>
          <MenuItem onChoose={() => void navigator.clipboard?.writeText(row.name)}>Copy name</MenuItem>
          {type.verbs.includes('delete') && (
            <MenuItem isDanger isDisabled={mayWith('delete', type, row.namespace) === false} onChoose={onDelete}>
              Delete…
            </MenuItem>
          )}
        </Menu>
      </div>
    </div>
  )
}

function Cell({ row, column, at }: { row: Row; column: Column; at: number }) {
  if (at < 0) return <bdi>{row.namespace}</bdi>
  if (isAge(column)) return <Ago time={row.created} />
  if (row.times[at] !== undefined) return <Ago time={row.times[at]} />
  const text = String(row.cells[at] ?? '')
  const tone = toneOf(column.name, text)
  return <bdi class={tone && `status ${tone}`}>{text}</bdi>
}
