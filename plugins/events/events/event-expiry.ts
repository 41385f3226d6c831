import type { ApiObject } from 'orch/sdk'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop, splitKey } from 'orch/sdk/controllers'

const name = 'event-expiry'
const collection = { group: '', version: 'v1', resource: 'events' }

/** When an event was last written, in ms, according to its managed fields. */
export function lastWrite({ metadata }: ApiObject): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)]
  return times.reduce((last, time) => Math.max(last, time ? Date.parse(time) : 0), Number.NEGATIVE_INFINITY)
}

/** Deletes events some time after their last update. */
export const eventExpiry = (ttlMs: number) =>
  defineControlLoop({
    name,
    rules: [{ verbs: ['delete'], apiGroups: [''], resources: ['events'] }],
    sources: [{ resource: collection }],
    async reconcile(key, caches, runtime) {
      const { namespace, name: eventName } = splitKey(key)
      const event = caches.of(collection).get(namespace, eventName)
      if (!event) return
      const remainingMs = lastWrite(event) + ttlMs - runtime.clock.now()
      if (remainingMs > 0) return { requeueAfterMs: remainingMs }
      const { uid, resourceVersion } = event.metadata
      // An event that is updated in the meantime is kept.
      const preconditions = { uid, resourceVersion }
      const events = runtime.client.resource(collection).in(namespace)
      await unlessLost(events.delete(eventName, { preconditions }), 'NotFound')
    },
  })
