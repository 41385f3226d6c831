import { type ApiObject, defineController, isObjectNotFound, services, splitKey, startControlLoop } from 'orch/sdk'

const name = 'event-expiry'
const collection = { group: '', version: 'v1', resource: 'events' }

/** When an event was last written, in ms: its writers leave a time behind. */
export function lastWrite({ metadata }: ApiObject): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)]
  return Math.max(...times.map(time => (time ? Date.parse(time) : 0)))
}

/** Events are news: they go some time after they were last written. */
export const eventExpiry = (ttlMs: number) =>
  defineController({
    name,
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    start: runtime =>
      startControlLoop({
        ...runtime,
        name,
        sources: [{ resource: collection }],
        async reconcile(key, caches) {
          const { namespace, name: eventName } = splitKey(key)
          const event = caches.of(collection).get(namespace, eventName)
          if (!event) return
          const remainingMs = lastWrite(event) + ttlMs - runtime.clock.now()
          if (remainingMs > 0) return { requeueAfterMs: remainingMs }
          const { uid, resourceVersion } = event.metadata
          try {
            // Whoever writes it meanwhile keeps it alive.
            const preconditions = { uid, resourceVersion }
            await runtime.client.resource(collection).in(namespace).delete(eventName, { preconditions })
          } catch (error) {
            if (!isObjectNotFound(error)) throw error
          }
        },
      }),
  })
