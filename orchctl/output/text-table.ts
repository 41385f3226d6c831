import { type Painter, paintState } from './painter.js'

const gap = 3

/** Rows in aligned columns. The widths are those of the first print, so that later rows are aligned with it. */
export class TextTable {
  readonly #paint: Painter
  readonly #header: readonly string[]
  #widths: number[] | undefined
  /** Headers are shown in capitals unless `exact`. */
  constructor(header: readonly string[], paint: Painter, { exact = false } = {}) {
    this.#header = exact ? header : header.map(name => name.toUpperCase())
    this.#paint = paint
  }
  /** The text of these rows, with the header if requested. */
  print(rows: readonly (readonly string[])[], withHeader: boolean): string {
    const shown = rows.map(row => row.map(oneLine))
    const all = withHeader ? [this.#header, ...shown] : shown
    this.#widths ??= this.#header.map((name, column) =>
      // Not Math.max(...): the number of arguments is limited, and a collection may have more rows.
      shown.reduce((widest, row) => Math.max(widest, width(row[column] ?? '')), withHeader ? width(name) : 0),
    )
    return all
      .map((row, index) => {
        const isHeader = withHeader && index === 0
        const cells = row.map((cell, column) => (column === row.length - 1 ? cell : this.#padded(cell, column)))
        const painted = cells.map(cell => (isHeader ? this.#paint.bold(cell) : paintState(cell, this.#paint)))
        return `${painted.join('').trimEnd()}\n`
      })
      .join('')
  }
  #padded(cell: string, column: number): string {
    return cell + ' '.repeat(Math.max((this.#widths?.[column] ?? 0) - width(cell), 0) + gap)
  }
}

const width = (text: string) => [...text].length
/** Escapes control characters, so that a cell cannot break the table or control the terminal. */
function oneLine(text: string): string {
  const [first = '', ...more] = text.split(/[\n\r\f]/)
  const visible = first.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, shownCode)
  return more.length > 0 ? `${visible}...` : visible
}
const shownCode = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
