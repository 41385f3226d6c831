import type { ApiObject, Cell, Column } from 'orch/sdk'

/** Computes the cells of some columns for many objects at once: a row for each object. */
type ComputeCells = (objects: readonly ApiObject[], now: number) => Promise<readonly (readonly Cell[])[]>

const unknownCell = '<unknown>'

/** Cells that are computed outside of this process, before the rows of a Table are made. */
export class OutsideCells {
  readonly #compute: ComputeCells
  readonly #known = new WeakMap<ApiObject, readonly Cell[]>()

  constructor(compute: ComputeCells) {
    this.#compute = compute
  }
  /** Computes the cells of objects, given as they are shown and as columns see them. */
  async prepare(shown: readonly ApiObject[], seen: readonly ApiObject[], now: number): Promise<void> {
    const rows = await this.#compute(seen, now)
    for (const [index, object] of shown.entries()) this.#known.set(object, rows[index] ?? [])
  }
  /** What could not be computed is unknown; it does not fail the list. */
  cell(shown: ApiObject, position: number): Cell {
    return this.#known.get(shown)?.[position] ?? unknownCell
  }
}

interface Place {
  readonly cells: OutsideCells
  readonly position: number
}
/** By the function of the column, which is the same however definitions are checked, cut and copied. */
const places = new WeakMap<Column['cell'], Place>()

/** One column of them. */
export function outsideColumn(column: Omit<Column, 'cell'>, cells: OutsideCells, position: number): Column {
  const cell = () => unknownCell
  places.set(cell, { cells, position })
  return { ...column, cell }
}

/** The cells of columns that are computed outside, if there are any. */
export function outsideCellsOf(columns: readonly Column[]): OutsideCells | undefined {
  for (const { cell } of columns) {
    const place = places.get(cell)
    if (place) return place.cells
  }
  return undefined
}

/** A cell of any column. */
export function cellOf(column: Column, shown: ApiObject, seen: ApiObject, now: number): Cell {
  const place = places.get(column.cell)
  return place ? place.cells.cell(shown, place.position) : column.cell(seen, now)
}
