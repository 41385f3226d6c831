import { type Signal, signal } from '@preact/signals'
import { ApiFailure, type ApiObject, requestJson } from './api.js'
import { pathOf, type ResourceType } from './catalogue.js'
import { follow, type LiveState } from './watch.js'

/** One object, as it is now. */
export class LiveObject {
  readonly object: Signal<ApiObject | undefined> = signal(undefined)
  readonly state = signal<LiveState>('loading')
  readonly failure = signal<ApiFailure | undefined>(undefined)
  readonly isDeleted = signal(false)
  readonly close: () => void

  constructor(type: ResourceType, namespace: string, name: string) {
    const path = pathOf(type, namespace, name)
    const collection = pathOf(type, namespace)
    const canWatch = type.verbs.includes('watch') && type.verbs.includes('list')
    this.close = follow({
      list: async signal => {
        const object = await requestJson<ApiObject>(path, { signal }).catch((failure: unknown) => {
          // It went while we looked away: what was known of it stays on the page.
          if (failure instanceof ApiFailure && failure.code === 404 && this.object.value) this.isDeleted.value = true
          throw failure
        })
        this.object.value = object
        this.isDeleted.value = false
        if (!canWatch) {
          this.state.value = 'live'
          await new Promise(resolve => signal.addEventListener('abort', resolve))
        }
        return object.metadata.resourceVersion
      },
      watchPath: `${collection}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`,
      event: (type, object: ApiObject) => {
        this.isDeleted.value = type === 'DELETED'
        this.object.value = object
      },
      state: (state, failure) => {
        this.state.value = state
        if (state !== 'loading') this.failure.value = failure
      },
    })
  }
}
