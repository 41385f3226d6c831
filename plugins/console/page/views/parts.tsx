import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ApiFailure } from '../model/api.js'
import type { Gaps } from '../model/look-through.js'
import { now, span } from '../model/times.js'
import type { LiveState } from '../model/watch.js'

/** Small components that several views share. */

/** A name in camel case, such as a kind, which may be broken between its parts. */
export const Compound = ({ name }: { name: string }) => (
  <bdi>{name.split(/(?=[A-Z][a-z])/).map((part, at) => (at === 0 ? part : [<wbr key={at} />, part]))}</bdi>
)

/** How long ago; the exact time on hover. */
export function Ago({ time }: { time: string | number | undefined }) {
  const at = typeof time === 'number' ? time : Date.parse(time ?? '')
  if (!at) return <span class="muted">–</span>
  // In UTC: formatting in the local time zone is slow.
  const exact = new Date(at).toISOString()
  return (
    <time dateTime={exact} title={exact}>
      {span(now.value - at)}
    </time>
  )
}

const liveWords: Readonly<Record<LiveState, string>> = {
  loading: 'Loading',
  live: 'Live',
  reconnecting: 'Reconnecting',
  failed: 'Not live',
}
export const Live = ({ state }: { state: LiveState }) => (
  <span class={`live ${state}`} role="status">
    <span class="dot" aria-hidden="true" />
    {liveWords[state]}
  </span>
)

export function Failure({ failure }: { failure: unknown }) {
  const isForbidden = failure instanceof ApiFailure && failure.code === 403
  return (
    <div class={isForbidden ? 'notice forbidden' : 'notice bad'} role="alert">
      <strong>{isForbidden ? 'Not permitted' : 'Failed'}</strong>
      <p>{failure instanceof Error ? failure.message : String(failure)}</p>
      {failure instanceof ApiFailure && failure.causes.length > 0 && (
        <ul>
          {failure.causes.map(({ field, message }) => (
            <li key={`${field}${message}`}>
              {field && <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly isWide?: boolean
}
export function Dialog({ title, onClose, children, isWide }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    return () => (before instanceof HTMLElement ? before.focus() : undefined)
  }, [])
  return (
    <dialog ref={element} aria-label={title} class={isWide ? 'wide' : ''} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}

const notes = signal<readonly { readonly id: number; readonly text: string }[]>([])
let lastNote = 0
const noteMs = 5000
/** Shows a short notification. */
export function notify(text: string): void {
  const id = ++lastNote
  notes.value = [...notes.value, { id, text }]
  setTimeout(() => {
    notes.value = notes.value.filter(note => note.id !== id)
  }, noteMs)
}
export const Notes = () => (
  <div class="notes" role="status" aria-live="polite">
    {notes.value.map(({ id, text }) => (
      <p key={id}>{text}</p>
    ))}
  </div>
)

/** Labels and similar key-value pairs. */
export const Chips = ({ of }: { of: Readonly<Record<string, string>> | undefined }) => (
  <ul class="chips">
    {Object.entries(of ?? {}).map(([key, value]) => (
      <li key={key}>
        <bdi>{key}</bdi>
        {value !== '' && (
          <>
            <span class="muted">=</span>
            <bdi>{value}</bdi>
          </>
        )}
      </li>
    ))}
  </ul>
)

/** Multi-line text, scrollable by keyboard, too. */
export const LongText = ({ text, label }: { text: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <pre class="value" tabIndex={0} role="group" aria-label={label}>
    {text}
  </pre>
)

/** For content that may be wider than the screen; scrollable by keyboard, too. */
export const scrollable = (label: string) =>
  ({ class: 'scroll-x', role: 'region', tabIndex: 0, 'aria-label': label }) as const

/** The limits of a search. */
export const GapNotes = ({ of: { partly, unseen } }: { of: Gaps }) => (
  <>
    {partly.length > 0 && <p class="muted small">Searched only in part: {partly.join(', ')}</p>}
    {unseen.length > 0 && <p class="muted small">Could not be searched: {unseen.join(', ')}</p>}
  </>
)
