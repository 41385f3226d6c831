import type { ApiObject } from 'orch/sdk'
import type { Store, StoreEvent } from 'orch/sdk/host'
import type { RecordedChange, Recorder } from 'orch/sdk/server'
import { withoutValues } from '../resources/hidden-values.js'
import { collectionOf } from '../storage/versioned-store.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { fromStoredBody } from '../types/stored-json.js'

/** Passes every change of a stored object to a recorder while the store is open. */
export function recordChanges(store: Store, types: ResourceTypes, recorder: Recorder): void {
  store.subscribe(events => {
    for (const event of events) {
      const change = changeOf(event, types)
      if (change) recorder.change(change)
    }
  })
}

function changeOf(event: StoreEvent, types: ResourceTypes): RecordedChange | undefined {
  const collection = collectionOf(event.key)
  // Metadata of the store itself is not an object.
  if (collection === undefined || event.key.startsWith('.')) return undefined
  const [group = '', resource = ''] = collection.split('/')
  const path = event.key.slice(collection.length + 1)
  const slash = path.indexOf('/')
  const type = types.get(group, resource)
  // Objects of an unknown type might be secret.
  const isOpen = type !== undefined && !type.isSensitive('')
  const read = (body: Buffer): ApiObject => (isOpen ? fromStoredBody(body) : withoutValues(fromStoredBody(body)))
  return {
    at: performance.timeOrigin + performance.now(),
    revision: event.revision,
    type: event.type,
    group,
    resource,
    kind: type?.kind ?? '',
    namespace: slash < 0 ? '' : path.slice(0, slash),
    name: path.slice(slash + 1),
    object: () => read(event.body),
    previous: () => {
      const before = event.previousBody()
      return before && read(before)
    },
  }
}
