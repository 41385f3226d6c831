import {
  type AdmissionConfiguration,
  type Clock,
  defineService,
  ExpiringCache,
  type Static,
  services,
  serviceToken,
  Type,
} from 'orch/sdk'
import type { Event } from 'orch/sdk/core'
import { readConfiguration } from 'orch/sdk/files'
import { type SharedWork, sharedWork } from 'orch/sdk/proposed'
import type { EventNames } from '../../names.js'

/** Allows a burst, and a number per second after that. */
class TokenBucket {
  readonly #perSecond: number
  readonly #size: number
  #tokens: number
  #countedAt: number

  constructor(perSecond: number, size: number, now: number) {
    this.#perSecond = perSecond
    this.#size = size
    this.#tokens = size
    this.#countedAt = now
  }
  /** Takes a token, if there is one. */
  take(now: number): boolean {
    const grown = this.#tokens + ((now - this.#countedAt) / 1000) * this.#perSecond
    this.#tokens = Math.min(this.#size, grown)
    this.#countedAt = now
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }
}

const control = 'EventRateLimit'
const limitTypes = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const
const Limit = Type.Object(
  {
    type: Type.Union(limitTypes.map(type => Type.Literal(type))),
    qps: Type.Integer({ minimum: 1 }),
    burst: Type.Integer({ minimum: 1 }),
    /** How many namespaces, users or sources are tracked at a time. */
    cacheSize: Type.Integer({ minimum: 0, default: 0 }),
  },
  { additionalProperties: false },
)
type Limit = Static<typeof Limit>
const Configuration = Type.Object({ limits: Type.Array(Limit, { minItems: 1 }) }, { additionalProperties: false })
const defaultCacheSize = 4096

/** An event, with what limits count it by. */
export interface EventArrival {
  readonly event: Event
  readonly user: string
  readonly namespace: string
}

/** Counts events against every limit. */
export class EventLimiter {
  readonly #limits: readonly { readonly limit: Limit; readonly buckets: ExpiringCache<TokenBucket> }[]
  readonly #clock: Clock
  readonly #count: (keys: readonly string[]) => Promise<string[]>

  /** Limits apply to all processes of the server, so the counting is shared work. */
  constructor(limits: readonly Limit[], clock: Clock, shared: SharedWork) {
    this.#clock = clock
    this.#limits = limits.map(limit => ({
      limit,
      buckets: new ExpiringCache<TokenBucket>(clock, limit.cacheSize || defaultCacheSize),
    }))
    this.#count = shared.declare('event-rate-limit', (keys: readonly string[]) => this.#take(keys))
  }

  /** Counts the event against every limit; returns those that are reached. */
  spend(arrival: EventArrival): Promise<string[]> {
    return this.#count(this.#limits.map(({ limit }) => keyOf(limit.type, arrival)))
  }

  #take(keys: readonly string[]): string[] {
    const now = this.#clock.now()
    return this.#limits.flatMap(({ limit, buckets }, index) => {
      const key = keys[index] ?? ''
      const bucket = buckets.get(key) ?? new TokenBucket(limit.qps, limit.burst, now)
      const isTaken = bucket.take(now)
      // A bucket that was unused for this long is full, and can be dropped.
      buckets.set(key, bucket, (limit.burst / limit.qps) * 1000 + 1)
      return isTaken ? [] : [`limit reached on type ${limit.type} for key ${key}`]
    })
  }
}
export const eventLimiter = serviceToken<EventLimiter>('eventLimiter')

function keyOf(type: Limit['type'], { event, user, namespace }: EventArrival): string {
  switch (type) {
    case 'Server':
      return ''
    case 'Namespace':
      return namespace
    case 'User':
      return user
    case 'SourceAndObject': {
      const { source = {}, involvedObject: about } = event
      return JSON.stringify([
        ...[source.component, source.host],
        ...[about.kind, about.namespace, about.name, about.uid, about.apiVersion],
      ])
    }
  }
}

export const eventLimiterService = (names: EventNames) =>
  defineService({
    token: eventLimiter,
    needs: { configuration: services.admissionConfiguration, clock: services.clock, shared: sharedWork },
    create: ({ configuration, clock, shared }) => new EventLimiter(readLimits(configuration, names), clock, shared),
  })

/** Reads the configuration of the admission control. Throws an error that says what is wrong with it. */
export function readLimits(configuration: AdmissionConfiguration, names: EventNames): readonly Limit[] {
  const given = readConfiguration(configuration, control, Configuration, names.eventRateConfigurations)
  if (!given) throw new Error(`${control} is enabled but has no configuration: specify its limits`)
  return given.limits
}
