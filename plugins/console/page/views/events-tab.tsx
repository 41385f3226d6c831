import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { type Anything, requestJson } from '../model/api.js'
import { follow, type LiveState } from '../model/watch.js'
import { Ago, Failure, Live, scrollable } from './parts.js'
import type { TabProps } from './tab-props.js'

const timeOf = (event: Anything): number =>
  Date.parse(
    event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp,
  ) || 0

/** What was reported about the object, newest first. */
export function EventsTab({ object }: TabProps) {
  const events = useSignal<readonly Anything[]>([])
  const state = useSignal<LiveState>('loading')
  const failure = useSignal<unknown>(undefined)
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
  if (failure.value) return <Failure failure={failure.value} />
  const sorted = [...events.value].sort((left, right) => timeOf(right) - timeOf(left))
  return (
    <section class="card">
      <h2>
        Events <Live state={state.value} />
      </h2>
      {sorted.length === 0 && <p class="muted">Nothing has been reported about it.</p>}
      {sorted.length > 0 && (
        <div {...scrollable('Events')}>
          <table>
            <thead>
              <tr>
                <th scope="col">Last seen</th>
                <th scope="col">Type</th>
                <th scope="col">Reason</th>
                <th scope="col">From</th>
                <th scope="col">Message</th>
              </tr>
            </thead>
            <tbody>
              {sorted.map(event => (
                <tr key={event.metadata.uid}>
                  <td>
                    <Ago time={timeOf(event)} /> {event.count > 1 && <span class="muted">×{event.count}</span>}
                  </td>
                  <td>
                    <span class={event.type === 'Warning' ? 'tag warn' : 'tag'}>{event.type}</span>
                  </td>
                  <td>
                    <bdi>{event.reason}</bdi>
                  </td>
                  <td>
                    <bdi>{event.reportingComponent || event.source?.component}</bdi>
                  </td>
                  <td>
                    <bdi>{event.message}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
