import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  readonly label: string
  /** What stands on the button. */
  readonly face: ComponentChildren
  /** The words on the button are its name. */
  readonly isNamedByFace?: boolean
  readonly children: ComponentChildren
  readonly class?: string
  /** The content is no list of commands. */
  readonly isPanel?: boolean
  /** Stands above what scrolls, which would cut it off otherwise. */
  readonly isFixed?: boolean
}

/** A button that opens a small panel beside it. Escape and a click elsewhere close it; arrows go through its commands. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its buttons are told
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
        // biome-ignore lint/a11y/useKeyWithClickEvents: a command that was chosen closes it, by key as well
        // biome-ignore lint/a11y/noStaticElementInteractions: its role is in what is spread
        <div
          class="menu-panel"
          {...panel}
          style={isFixed ? besides(button.current) : undefined}
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
/** Below the button, or above it where there is no room. */
function besides(button: HTMLElement | null) {
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
