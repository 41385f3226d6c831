import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type Anything, requestJson } from '../model/api.js'
import { type Moment, timelineOf } from '../model/timeline.js'
import { follow, type LiveState } from '../model/watch.js'
import { Ago, Failure, Live } from './parts.js'
import type { TabProps } from './tab-props.js'

const kinds: readonly (readonly [Moment['is'], string])[] = [
  ['event', 'Events'],
  ['condition', 'Conditions'],
  ['write', 'Writes'],
]

/** Conditions, events and writes of an object, newest first. */
export function TimelineTab({ object }: TabProps) {
  const events = useSignal<readonly Anything[]>([])
  const state = useSignal<LiveState>('loading')
  const failure = useSignal<unknown>(undefined)
  const hidden = useSignal<ReadonlySet<string>>(new Set())
  const { uid, namespace } = object.metadata
  const path = useMemo(() => {
    const within = namespace ? `/namespaces/${encodeURIComponent(namespace)}` : ''
    return `/api/v1${within}/events?fieldSelector=${encodeURIComponent(`involvedObject.uid=${uid}`)}`
  }, [uid])
  useEffect(
    () =>
      follow({
        async list(signal) {
          const list = await requestJson(path, { signal })
          events.value = list.items
          return list.metadata.resourceVersion
        },
        watchPath: path,
        event(type, event) {
          const others = events.value.filter(each => each.metadata.uid !== event.metadata.uid)
          events.value = type === 'DELETED' ? others : [...others, event]
        },
        state(next, failed) {
          state.value = next
          failure.value = failed
        },
      }),
    [path],
  )
  const all = timelineOf(object, events.value)
  const shown = all.filter(({ is }) => !hidden.value.has(is))
  const toggle = (kind: string) => {
    const next = new Set(hidden.value)
    if (!next.delete(kind)) next.add(kind)
    hidden.value = next
  }
  return (
    <section class="card">
      <h2>
        Timeline <Live state={state.value} />
      </h2>
      {failure.value !== undefined && <Failure failure={failure.value} />}
      <fieldset class="toolbar bare">
        <legend class="unseen">What to show</legend>
        {kinds.map(([kind, title]) => (
          <label key={kind} class="check">
            <input type="checkbox" checked={!hidden.value.has(kind)} onChange={() => toggle(kind)} />
            {title} ({all.filter(({ is }) => is === kind).length})
          </label>
        ))}
      </fieldset>
      {events.value.length === 0 && state.value !== 'loading' && <p class="muted small">No events.</p>}
      <ol class="timeline" aria-label="Timeline">
        {shown.map(({ key, at, is, tone, title, text, from, count }) => (
          <li key={key} class={`${is} ${tone}`}>
            <span class="when muted">
              <Ago time={at} />
            </span>
            <div>
              <strong>
                <bdi>{title}</bdi>
              </strong>{' '}
              {count > 1 && <span class="tag">×{count}</span>} <span class="muted small">{from || is}</span>
              {text && (
                <p>
                  <bdi>{text}</bdi>
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
