import type { Client } from '../client/client.js'
import type { Event } from '../core/event.js'
import type { Clock, Logger } from '../plugin/basic-services.js'
import type { ControllerRule } from '../plugin/controller.js'
import { defineDifference } from '../plugin/level.js'
import type { Vendor } from '../plugin/vendor.js'
import type { ObjectMeta } from '../resource/meta.js'
import { timestampOf } from '../resource/timestamp.js'

/** The object an event is about, as it came from the API or a cache. */
export interface EventSubject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata?: ObjectMeta
}

/** Records Events about an object. */
export interface EventRecorder {
  /** Never fails: an event that cannot be written is logged and dropped. */
  record(object: EventSubject, type: 'Normal' | 'Warning', reason: string, message: string): Promise<void>
}

/** The version from which events of loops also set `reportingComponent`. */
export const eventsNameTheirReporter = defineDifference({
  name: 'events-name-their-reporter',
  since: '1.27',
  description: 'Events recorded by controllers name them in reportingComponent as well as in source.',
  knownFrom: 'source',
  additive: true,
})

/** What an event recorder needs, and the component that it reports for. */
export interface EventRecorderOptions {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  /** Who reports, such as `persistentvolume-controller`. */
  readonly component: string
  /** The fields of events depend on the served version. */
  readonly vendor?: Vendor
}

const eventCollection = { group: '', version: 'v1', resource: 'events' } as const
/** The same event within this time is not recorded again. */
const quietMs = 10_000
/** How many events are cached, so that a repetition increments their count instead of creating another one. */
const maxRemembered = 4096

interface Remembered {
  readonly namespace: string
  readonly name: string
  readonly count: number
  readonly at: number
}

/** Creates a recorder. Repeated events are counted in one object. */
export function createEventRecorder({ client, clock, logger, component, vendor }: EventRecorderOptions): EventRecorder {
  const reporter = vendor?.level.has(eventsNameTheirReporter) ? { reportingComponent: component } : {}
  const remembered = new Map<string, Remembered>()
  let lastStamp = 0n
  /** Nanoseconds for names, as in Kubernetes. Two events at the same time must differ, or the second would be lost. */
  const stampOf = (now: number): string => {
    const stamp = BigInt(Math.floor(now * 1e6))
    lastStamp = stamp > lastStamp ? stamp : lastStamp + 1n
    return lastStamp.toString(16)
  }
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
      const next = known ?? { namespace, name: `${name}.${stampOf(now)}`, count: 0, at: now }
      remember(key, { ...next, count: next.count + 1, at: now })
      const events = client.resource<Event>(eventCollection).in(namespace)
      const lastTimestamp = timestampOf(now)
      try {
        if (known) await events.patch(known.name, { count: known.count + 1, lastTimestamp })
        else {
          const event = newEvent(object, next, { type, reason, message, component, now: lastTimestamp })
          await events.create({ ...event, ...reporter })
        }
      } catch (error) {
        remembered.delete(key)
        logger.debug('an event could not be recorded', { reason, object: `${namespace}/${name}`, error })
      }
    },
  }
}

function newEvent(
  { apiVersion, kind, metadata = {} }: EventSubject,
  { namespace, name }: Pick<Remembered, 'namespace' | 'name'>,
  details: { type: string; reason: string; message: string; component: string; now: string },
): Event {
  const { type, reason, message, component, now } = details
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

/** The rule of a loop that records events: `rules: [..., recordEvents(vendor)]`. */
export const recordEvents = (vendor: Vendor): ControllerRule => ({
  verbs: ['create', 'patch', 'update'],
  apiGroups: ['', vendor.group('events')],
  resources: ['events'],
})

/** Short form of a rule: `allow('get list watch', 'apps', 'statefulsets')`. */
export const allow = (
  verbs: string,
  apiGroups: string | readonly string[],
  resources: string,
  resourceNames?: readonly string[],
): ControllerRule => ({
  verbs: verbs.split(' '),
  apiGroups: typeof apiGroups === 'string' ? [apiGroups] : apiGroups,
  resources: resources.split(' '),
  ...(resourceNames === undefined ? {} : { resourceNames }),
})
