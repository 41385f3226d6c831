import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { containersOf } from '../model/containers.js'
import { LiveLog } from '../model/live-log.js'
import { Failure } from './parts.js'
import type { TabProps } from './tab-props.js'

/** The log of a container, or of another object that has one. */
export function LogsTab({ type, object }: TabProps) {
  const containers = containersOf(object['spec'])
  const container = useSignal(containers[0] ?? '')
  const isPrevious = useSignal(false)
  const isFollowed = useSignal(true)
  const words = useSignal('')
  const readings = useSignal(0)
  const place = useRef<HTMLPreElement>(null)
  const { namespace = '', name, uid } = object.metadata
  const log = useMemo(
    () => new LiveLog(type, namespace, name, { container: container.value, isPrevious: isPrevious.value }),
    [uid, container.value, isPrevious.value, readings.value],
  )
  useEffect(() => () => log.close(), [log])
  const lines = log.lines.value
  useEffect(() => {
    if (isFollowed.value && place.current) place.current.scrollTop = place.current.scrollHeight
  }, [lines, isFollowed.value])
  const shown =
    words.value === '' ? lines : lines.filter(line => line.toLowerCase().includes(words.value.toLowerCase()))
  return (
    <section class="card">
      <h2>
        Log <span class="muted small">{log.state.value === 'live' ? 'live' : log.state.value}</span>
      </h2>
      <div class="toolbar">
        {containers.length > 0 && (
          <label>
            Container{' '}
            <select value={container.value} onChange={event => (container.value = event.currentTarget.value)}>
              {containers.map(each => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
        )}
        <input
          type="search"
          placeholder="Filter lines"
          aria-label="Filter lines"
          value={words.value}
          onInput={event => (words.value = event.currentTarget.value)}
        />
        {containers.length > 0 && (
          <label class="check">
            <input
              type="checkbox"
              checked={isFollowed.value}
              onChange={event => (isFollowed.value = event.currentTarget.checked)}
            />
            Follow
          </label>
        )}
        {log.state.value === 'ended' && (
          <button type="button" onClick={() => readings.value++}>
            Read again
          </button>
        )}
        {containers.length > 0 && (
          <label class="check">
            <input
              type="checkbox"
              checked={isPrevious.value}
              onChange={event => (isPrevious.value = event.currentTarget.checked)}
            />
            Previous container
          </label>
        )}
      </div>
      {log.failure.value !== undefined && <Failure failure={log.failure.value} />}
      {lines.length === 0 && log.state.value !== 'loading' && log.failure.value === undefined && (
        <p class="muted">The log is empty.</p>
      )}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre class="log" ref={place} tabIndex={0} role="log" aria-label={`Log of ${container.value || name}`}>
          {shown.map((line, at) => (
            <div key={at}>{line}</div>
          ))}
        </pre>
      )}
    </section>
  )
}
