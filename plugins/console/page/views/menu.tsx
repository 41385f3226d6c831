import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly label: string
  /** The content of the button. */
  readonly face: ComponentChildren
  /** Is the content of the button its accessible name? Otherwise `label` is. */
  readonly isNamedByFace?: boolean
  readonly children: ComponentChildren
  readonly class?: string
  /** Is the content something other than a list of commands? */
  readonly isPanel?: boolean
  /** Positioned relative to the window, so that a scrolling container does not clip it. */
  readonly isFixed?: boolean
}

/** A button that opens a small panel. Escape and a click elsewhere close it; arrow keys move between its commands. */
export function Menu({
  label,
  face,
  children,
  class: name = '',
  isPanel = false,
  isFixed = false,
  isNamedByFace = false,
}: Props) {
  const isOpen = useSignal(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen.value) return
    const away = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) isOpen.value = false
    }
    addEventListener('pointerdown', away)
    const scrolled = () => (isOpen.value = false)
    if (isFixed) addEventListener('scroll', scrolled, { capture: true, once: true })
    place.current?.querySelector<HTMLElement>('.menu-panel :is(button, a, input)')?.focus({ preventScroll: true })
    return () => {
      removeEventListener('pointerdown', away)
      removeEventListener('scroll', scrolled, { capture: true })
    }
  }, [isOpen.value])
  const onKey = (event: KeyboardEvent) => {
    if (!isOpen.value) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      isOpen.value = false
      button.current?.focus()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || isPanel) return
    event.preventDefault()
    const all = [...(place.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + step + all.length) % all.length]?.focus()
  }
  const panel = { role: isPanel ? 'dialog' : 'menu', 'aria-label': label } as const
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles events that bubble from its buttons
    <div class={`menu-place ${name}`} ref={place} onKeyDown={onKey}>
      <button
        type="button"
        ref={button}
        class="quiet"
        aria-label={isNamedByFace ? undefined : label}
        aria-haspopup={isPanel ? 'dialog' : 'menu'}
        aria-expanded={isOpen.value}
        onClick={event => {
          event.stopPropagation()
          isOpen.value = !isOpen.value
        }}
      >
        {face}
      </button>
      {isOpen.value && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: buttons inside turn keys into clicks
        // biome-ignore lint/a11y/noStaticElementInteractions: its role is spread from `panel`
        <div
          class="menu-panel"
          {...panel}
          style={isFixed ? positionAt(button.current) : undefined}
          onClick={event => {
            event.stopPropagation()
            if (!isPanel || (event.target as Element).closest('[data-closes]')) isOpen.value = false
          }}
        >
          {children}
        </div>
      )}
    </div>
  )
}

const estimatedHeight = 230
/** Below the button, or above it if there is no room. */
function positionAt(button: HTMLElement | null) {
  const { top = 0, bottom = 0, right = 0 } = button?.getBoundingClientRect() ?? {}
  const isBelow = bottom + estimatedHeight < innerHeight
  return {
    position: 'fixed',
    right: `${innerWidth - right}px`,
    ...(isBelow ? { top: `${bottom + 2}px` } : { top: 'auto', bottom: `${innerHeight - top + 2}px` }),
  } as const
}

interface ItemProps {
  readonly children: ComponentChildren
  readonly href?: string
  readonly onChoose?: () => void
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
}
export function MenuItem({ children, href, onChoose, isDanger, isDisabled }: ItemProps) {
  if (href !== undefined)
    return (
      <a role="menuitem" href={href} tabIndex={-1}>
        {children}
      </a>
    )
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={isDanger ? 'danger' : ''}
      disabled={isDisabled}
      title={isDisabled ? 'Not permitted' : undefined}
      onClick={onChoose}
    >
      {children}
    </button>
  )
}
