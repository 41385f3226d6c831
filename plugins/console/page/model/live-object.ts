import { type Signal, signal } from '@preact/signals'
import { type Anything, ApiFailure, type ApiObject, requestJson } from './api.js'
import { apiVersionOf } from './catalogue.js'
import { collectionPath, objectPath } from './paths.js'
import type { ResourceType } from './resource-type.js'
import { follow, type LiveState } from './watch.js'

/** Follows one object. */
export class LiveObject {
  readonly object: Signal<ApiObject | undefined> = signal(undefined)
  readonly state = signal<LiveState>('loading')
  readonly failure = signal<ApiFailure | undefined>(undefined)
  readonly isDeleted = signal(false)
  readonly close: () => void

  constructor(type: ResourceType, namespace: string, name: string) {
    const collection = `${collectionPath(type, namespace)}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`
    const read = (signal: AbortSignal) => requestJson<ApiObject>(objectPath(type, namespace, name), { signal })
    const canWatch = type.verbs.includes('watch') && type.verbs.includes('list')
    const take = (object: ApiObject | undefined) => {
      if (object?.metadata?.name !== name)
        throw new ApiFailure(422, 'Invalid', `The server returned something other than ${type.kind} ${name}.`)
      this.object.value = object
      this.isDeleted.value = false
    }
    this.close = follow({
      list: async signal => {
        try {
          // The object's own version may be older than the history that the server keeps, so the watch starts at a list's.
          const list: Anything = canWatch ? await requestJson(collection, { signal }).catch(unlessForbidden) : undefined
          const [found] = list?.items ?? []
          take(found ? { apiVersion: apiVersionOf(type), kind: type.kind, ...found } : await read(signal))
          if (list) return list.metadata.resourceVersion
        } catch (failure) {
          // Deleted while the tab was hidden: the last state stays on the page.
          if (failure instanceof ApiFailure && failure.code === 404 && this.object.value) this.isDeleted.value = true
          throw failure
        }
        this.state.value = canWatch ? 'failed' : 'live'
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
      watchPath: collection,
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

/** A user who may read an object may not be allowed to list and watch it. */
function unlessForbidden(failure: unknown): undefined {
  if (failure instanceof ApiFailure && failure.code === 403) return undefined
  throw failure
}
