import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ContainerTerminal } from '../model/container-terminal.js'
import { containersOf } from '../model/containers.js'
import { impersonation } from '../model/session.js'
import { Failure } from './parts.js'
import type { TabProps } from './tab-props.js'

/** Runs commands in the containers of a Pod, a line at a time, and attaches to them. */
export function TerminalTab({ type, object }: TabProps) {
  const containers = containersOf(object['spec'])
  const { namespace = '', name, uid } = object.metadata
  const container = useSignal(containers[0] ?? '')
  const line = useSignal('')
  const typed = useSignal<readonly string[]>([])
  const back = useSignal(0)
  const place = useRef<HTMLPreElement>(null)
  const terminal = useMemo(() => new ContainerTerminal(type, namespace, name), [uid])
  useEffect(() => () => terminal.stop(), [terminal])
  const pieces = terminal.pieces.value
  useEffect(() => {
    if (place.current) place.current.scrollTop = place.current.scrollHeight
  }, [pieces])
  const isRunning = terminal.isRunning.value
  if (impersonation.value)
    return (
      <section class="card">
        <h2>Terminal</h2>
        <p class="muted">
          A browser cannot open a terminal as another user. Stop viewing as {impersonation.value.user} first.
        </p>
      </section>
    )
  const submit = (event: Event) => {
    event.preventDefault()
    const text = line.value
    line.value = ''
    back.value = 0
    if (isRunning) return terminal.type(text)
    if (text.trim() === '') return
    typed.value = [...typed.value.filter(each => each !== text), text]
    terminal.run(container.value, text)
  }
  const recall = (step: number) => {
    back.value = Math.min(typed.value.length, Math.max(0, back.value + step))
    line.value = back.value === 0 ? '' : (typed.value.at(-back.value) ?? '')
  }
  const keys = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    if (event.ctrlKey && event.key === 'c' && isRunning && selectionStart === selectionEnd) terminal.stop()
    else if (event.ctrlKey && event.key === 'd' && isRunning) terminal.endInput()
    else if (event.key === 'ArrowUp' && !isRunning) recall(1)
    else if (event.key === 'ArrowDown' && !isRunning) recall(-1)
    else return
    event.preventDefault()
  }
  return (
    <section class="card">
      <h2>
        Terminal <span class="muted small">{isRunning ? 'connected' : ''}</span>
      </h2>
      <div class="toolbar">
        <label>
          Container{' '}
          <select
            value={container.value}
            disabled={isRunning}
            onChange={event => (container.value = event.currentTarget.value)}
          >
            {containers.map(each => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={isRunning} onClick={() => terminal.attach(container.value)}>
          Attach
        </button>
        <button type="button" disabled={!isRunning} onClick={() => terminal.endInput()}>
          End input
        </button>
        <button type="button" disabled={!isRunning} onClick={() => terminal.stop()}>
          Disconnect
        </button>
        <button type="button" disabled={pieces.length === 0} onClick={() => terminal.clear()}>
          Clear
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre class="log terminal" ref={place} tabIndex={0} role="log" aria-label={`Terminal of ${name}`}>
        {pieces.map((piece, at) => (
          <span key={at} class={piece.of}>
            {piece.text}
          </span>
        ))}
      </pre>
      {terminal.failure.value !== undefined && <Failure failure={terminal.failure.value} />}
      <form class="prompt" onSubmit={submit}>
        <label>
          {isRunning ? 'Input' : 'Command'}{' '}
          <input
            value={line.value}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="terminal-help"
            onInput={event => (line.value = event.currentTarget.value)}
            onKeyDown={keys}
          />
        </label>
        <button type="submit">{isRunning ? 'Send' : 'Run'}</button>
      </form>
      <p class="muted small" id="terminal-help">
        Each line runs in a shell of its own (sh -c). While it is running, lines are its input: Ctrl D ends the input,
        Ctrl C disconnects. ↑ and ↓ recall earlier lines.
      </p>
    </section>
  )
}
