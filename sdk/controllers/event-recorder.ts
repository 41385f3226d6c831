import type { Client } from '../client/client.js'
import type { Event } from '../core/event.js'
import type { ObjectMeta } from '../meta.js'
import type { Clock, Logger } from '../services.js'

/** The object an event is about, as it came from the API or a cache. */
export interface EventSubject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: ObjectMeta
}

/** Tells people what happened to an object, as Events beside it. */
export interface EventRecorder {
  /** Never fails: an event that cannot be written is logged and forgotten. */
  record(object: EventSubject, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void>
}

/** What an event recorder works with, and in whose name. */
export interface EventRecorderOptions {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  /** Who reports, such as `persistentvolume-controller`. */
  readonly component: string
}

const eventCollection = { group: '', version: 'v1', resource: 'events' } as const
/** The same event again within this time says nothing new. */
const quietMs = 10_000
/** Events remembered to be counted up instead of written anew. */
const maxRemembered = 4096

interface Remembered {
  readonly namespace: string
  readonly name: string
  readonly count: number
  readonly at: number
}

/** Makes a recorder. Repeated events are counted in one object. */
export function createEventRecorder({ client, clock, logger, component }: EventRecorderOptions): EventRecorder {
  const remembered = new Map<string, Remembered>()
  const remember = (key: string, event: Remembered) => {
    remembered.delete(key)
    remembered.set(key, event)
    for (const oldest of remembered.keys()) {
      if (remembered.size <= maxRemembered) return
      remembered.delete(oldest)
    }
  }
  return {
    async record(object, type, reason, message) {
      const { name = '', namespace = 'default', uid = '' } = object.metadata ?? {}
      const key = JSON.stringify([object.kind, namespace, name, uid, type, reason, message])
      const now = clock.now()
      const known = remembered.get(key)
      if (known && now - known.at < quietMs) return
      const next = known ?? { namespace, name: `${name}.${BigInt(now * 1e6).toString(16)}`, count: 0, at: now }
      remember(key, { ...next, count: next.count + 1, at: now })
      const events = client.resource<Event>(eventCollection).in(namespace)
      const lastTimestamp = timestamp(now)
      try {
        if (known) await events.patch(known.name, { count: known.count + 1, lastTimestamp })
        else await events.create(newEvent(object, next, { type, reason, message, component, now: lastTimestamp }))
      } catch (error) {
        remembered.delete(key)
        logger.debug('an event could not be recorded', { reason, object: `${namespace}/${name}`, error: String(error) })
      }
    },
  }
}

const timestamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

function newEvent(
  { apiVersion, kind, metadata = {} }: EventSubject,
  { namespace, name }: Pick<Remembered, 'namespace' | 'name'>,
  said: { type: string; reason: string; message: string; component: string; now: string },
): Event {
  const { type, reason, message, component, now } = said
  const { name: about = '', namespace: where, uid, resourceVersion } = metadata
  return {
    metadata: { name, namespace },
    involvedObject: {
      ...(apiVersion ? { apiVersion } : {}),
      ...(kind ? { kind } : {}),
      ...(where ? { namespace: where } : {}),
      name: about,
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
    },
    type,
    reason,
    message,
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  }
}
