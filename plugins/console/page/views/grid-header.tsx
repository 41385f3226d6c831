import { leastWidth } from '../model/column-widths.js'
import type { Column } from '../model/live-table.js'
import { setQuery } from '../model/route.js'

interface HeaderProps {
  readonly column: Column
  readonly order: 'none' | 'ascending' | 'descending'
  readonly width: number
  onResize(width: number): void
}
const keyStepPx = 16
/** A column header: a click sorts by it, dragging its edge resizes it. */
export function GridHeader({ column: { name, description }, order, width, onResize }: HeaderProps) {
  const start = (event: PointerEvent) => {
    event.preventDefault()
    const handle = event.currentTarget as HTMLElement
    handle.setPointerCapture(event.pointerId)
    const move = (to: PointerEvent) => onResize(Math.max(leastWidth, Math.round(width + to.clientX - event.clientX)))
    const end = () => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', end)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? keyStepPx : event.key === 'ArrowLeft' ? -keyStepPx : 0
    if (step === 0) return
    event.preventDefault()
    onResize(Math.max(leastWidth, width + step))
  }
  return (
    <div role="columnheader" aria-sort={order}>
      <button
        type="button"
        title={description}
        onClick={() => setQuery({ sort: name, desc: order === 'ascending' ? '1' : undefined })}
      >
        <bdi>{name}</bdi>
        <span aria-hidden="true">{order === 'none' ? '' : order === 'descending' ? '↓' : '↑'}</span>
      </button>
      <span
        class="resizer"
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={`Width of ${name}`}
        aria-valuenow={width}
        aria-valuemin={leastWidth}
        onPointerDown={start}
        onKeyDown={onKey}
      />
    </div>
  )
}
