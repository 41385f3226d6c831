import { signal } from '@preact/signals'
import { type Anything, requestJson } from './api.js'
import { follow, type LiveState } from './watch.js'

/** Events of the type Warning, newest first. */
export const warnings = signal<readonly Anything[]>([])
export const warningsState = signal<LiveState>('loading')

const kept = 200
const mostRead = 1000

export const eventTime = (event: Anything): number =>
  Date.parse(
    event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp,
  ) || 0
const newestFirst = (events: readonly Anything[]) =>
  [...events].sort((left, right) => eventTime(right) - eventTime(left)).slice(0, kept)

export function followWarnings(namespace: string): () => void {
  const within = namespace ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  const path = `/api/v1${within}/events?fieldSelector=${encodeURIComponent('type=Warning')}`
  return follow({
    async list(signal) {
      const list = await requestJson(`${path}&limit=${mostRead}`, { signal })
      warnings.value = newestFirst(list.items)
      return list.metadata.resourceVersion
    },
    watchPath: path,
    event(type, event) {
      const others = warnings.value.filter(each => each.metadata.uid !== event.metadata.uid)
      warnings.value = newestFirst(type === 'DELETED' ? others : [event, ...others])
    },
    state(state) {
      warningsState.value = state
    },
  })
}
