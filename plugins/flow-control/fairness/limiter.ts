import { tooManyRequests, type UserInfo } from 'orch/sdk'
import type { LimitedRequest, RequestLimiter, RequestLimits } from 'orch/sdk/server'
import { mandatoryLevels, mandatorySchemas } from '../bootstrap/mandatory.js'
import type { FlowSchema } from '../flow-schemas/schema.js'
import { catchAll, type FlowControlNames } from '../names.js'
import type { PriorityLevel } from '../priority-levels/schema.js'
import { distinguisherOf, inOrder, matchesSchema } from './classify.js'
import type { FlowMetrics } from './flow-metrics.js'
import { type Count, Level } from './level.js'
import { dealHand } from './shuffle-sharding.js'
import { Turns } from './turns.js'

/** The classification of the requests of one flow. */
interface Flow {
  readonly schema: string
  readonly schemaUid: readonly string[]
  readonly level: Level
  readonly dispatched: Count
  readonly hand: readonly number[]
}

/** Proxied streams take no work here and last until one side closes them, so they hold no seat. */
const longRunning = new Set(['attach', 'exec', 'log', 'portforward', 'proxy'])
const mutatingVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])
/** The number of classified requests cached per user, and of users. */
const maxKnownFlows = 1000
const maxKnownUsers = 10_000
const retryAfterSeconds = 1

export interface FlowSource {
  schemas(): readonly FlowSchema[]
  levels(): readonly PriorityLevel[]
}

/**
 * Classifies requests into flows and priority levels, and decides when each may start. Classifications are
 * cached by user and kind of request.
 */
export class FairLimiter implements RequestLimiter {
  readonly #source: FlowSource
  readonly #names: FlowControlNames
  readonly #limits: RequestLimits
  readonly #metrics: FlowMetrics
  readonly #levels = new Map<string, Level>()
  readonly #turns: Turns
  #schemas: readonly FlowSchema[] | undefined
  #flowsOfUser = new WeakMap<UserInfo, Map<string, Flow>>()
  #flowsByName = new Map<string, Map<string, Flow>>()
  readonly #hands = new Map<string, readonly number[]>()
  #readOnly = 0
  #mutating = 0

  constructor(source: FlowSource, names: FlowControlNames, limits: RequestLimits, metrics: FlowMetrics) {
    this.#source = source
    this.#names = names
    this.#limits = limits
    this.#metrics = metrics
    // A request may wait for a quarter of its timeout.
    this.#turns = new Turns(limits.timeoutMs / 4, () => metrics.write(this.#levels.values()))
  }

  get current() {
    return { readOnly: this.#readOnly, mutating: this.#mutating }
  }

  /** Schemas or levels have changed. */
  reload(): void {
    this.#schemas = undefined
  }

  close(): void {
    this.#turns.close()
  }

  enter(request: LimitedRequest): void | Promise<void> {
    const { info } = request
    if (longRunning.has(info.subresource)) return
    const flow = this.#flowOf(request)
    const { level } = flow
    request.setHeader(this.#names.flowSchemaHeader, flow.schemaUid)
    request.setHeader(this.#names.priorityLevelHeader, level.uid)
    const isMutating = mutatingVerbs.has(info.verb)
    flow.dispatched.value++
    if (level.isExempt) return this.#begin(request, isMutating, undefined)
    if (level.mayBeginAtOnce && this.#turns.mayBegin(level))
      return this.#begin(request, isMutating, level.queues.take(flow.hand, 1).release)
    if (!level.mayWait) throw this.#refused(flow, 'concurrency-limit')
    const arrivedAt = performance.now()
    return new Promise<void>((resolve, reject) => {
      const isWaiting = level.queues.wait(flow.hand, {
        seats: 1,
        arrivedAt,
        begin: place => {
          if (request.isFinished) return false
          this.#metrics.waited(level.name, flow.schema, (performance.now() - arrivedAt) / 1000, true)
          this.#begin(request, isMutating, place.release)
          resolve()
          return true
        },
        giveUp: () => {
          this.#metrics.waited(level.name, flow.schema, (performance.now() - arrivedAt) / 1000, false)
          reject(this.#refused(flow, 'time-out'))
        },
      })
      if (isWaiting) this.#turns.addWaiting(level)
      else reject(this.#refused(flow, 'queue-full'))
    })
  }

  #begin(request: LimitedRequest, isMutating: boolean, releaseSeat: (() => void) | undefined): void {
    // A watch has started once its initial events are sent; from then on it needs no seat.
    if (request.info.verb === 'watch') return releaseSeat?.()
    if (isMutating) this.#mutating++
    else this.#readOnly++
    request.freeSeat = () => {
      if (isMutating) this.#mutating--
      else this.#readOnly--
      releaseSeat?.()
      this.#turns.seatFreed()
    }
  }

  #refused({ level, schema, dispatched }: Flow, reason: 'concurrency-limit' | 'queue-full' | 'time-out') {
    dispatched.value--
    this.#metrics.rejected(level.name, schema, reason)
    return tooManyRequests('Too many requests, please try again later.', retryAfterSeconds)
  }

  #flowOf(request: LimitedRequest): Flow {
    const schemas = this.#schemas ?? this.#load()
    const { user, info } = request
    const flows = this.#flowsOfUser.get(user) ?? this.#flowsOf(user)
    const { isResource, verb, accessNamespace, group, resource, subresource, path } = info
    const key = isResource ? `${verb} ${accessNamespace} ${resource}.${group}/${subresource}` : `${verb} ${path}`
    let flow = flows.get(key)
    if (!flow) {
      if (flows.size >= maxKnownFlows) flows.clear()
      flow = this.#findFlow(schemas, request)
      flows.set(key, flow)
    }
    return flow
  }

  /** The same user may be a different object in each request. */
  #flowsOf(user: UserInfo): Map<string, Flow> {
    const key = JSON.stringify([user.name, user.groups])
    let flows = this.#flowsByName.get(key)
    if (!flows) {
      if (this.#flowsByName.size >= maxKnownUsers) this.#flowsByName.clear()
      flows = new Map()
      this.#flowsByName.set(key, flows)
    }
    this.#flowsOfUser.set(user, flows)
    return flows
  }

  #findFlow(schemas: readonly FlowSchema[], { user, info }: LimitedRequest): Flow {
    const found = schemas.find(schema => matchesSchema(schema, user, info)) ?? schemas.at(-1)
    const schema = found?.metadata?.name ?? catchAll
    const level = this.#levels.get(found?.spec?.priorityLevelConfiguration.name ?? catchAll) as Level
    const flow = found ? `${schema}/${distinguisherOf(found, user, info)}` : schema
    return {
      schema,
      schemaUid: [found?.metadata?.uid ?? ''],
      level,
      dispatched: level.metrics.of(schema),
      hand: level.mayWait ? this.#handOf(flow, level) : [0],
    }
  }

  /** All requests of a flow share one hand of queues. */
  #handOf(flow: string, { queueCount, handSize }: Level): readonly number[] {
    let hand = this.#hands.get(flow)
    if (!hand) {
      if (this.#hands.size >= maxKnownUsers) this.#hands.clear()
      hand = dealHand(flow, queueCount, handSize)
      this.#hands.set(flow, hand)
    }
    return hand
  }

  /** Reloads schemas and levels. Requests that wait stay in their queues. */
  #load(): readonly FlowSchema[] {
    const levels = withMandatory(this.#source.levels(), mandatoryLevels(this.#names.level))
    const shares = levels.reduce((sum, { spec }) => sum + (spec?.limited?.nominalConcurrencyShares ?? 0), 0)
    const { readOnly, mutating } = this.#limits
    const seats = readOnly === 0 || mutating === 0 ? Number.POSITIVE_INFINITY : readOnly + mutating
    for (const object of levels) {
      const name = object.metadata?.name ?? ''
      let level = this.#levels.get(name)
      if (!level) {
        level = new Level(name)
        this.#levels.set(name, level)
      }
      level.configure(object, seats, shares)
    }
    // Counts are recreated with the flows below: those of deleted schemas would stay forever.
    this.#metrics.write(this.#levels.values())
    for (const level of this.#levels.values()) level.metrics.clear()
    const names = new Set(levels.map(({ metadata }) => metadata?.name ?? ''))
    for (const [name, level] of this.#levels) if (!names.has(name) && level.queues.isIdle) this.#levels.delete(name)
    this.#flowsOfUser = new WeakMap()
    this.#flowsByName = new Map()
    this.#hands.clear()
    // A schema whose level is missing is ignored.
    this.#schemas = inOrder(withMandatory(this.#source.schemas(), mandatorySchemas)).filter(({ spec }) =>
      names.has(spec?.priorityLevelConfiguration.name ?? ''),
    )
    return this.#schemas
  }
}

/** Mandatory objects apply even while they are deleted. */
function withMandatory<T extends { metadata?: { name?: string }; spec?: unknown }>(
  objects: readonly T[],
  mandatory: Readonly<Record<string, T['spec']>>,
): T[] {
  const missing = Object.entries(mandatory).filter(([name]) => !objects.some(({ metadata }) => metadata?.name === name))
  return [...objects, ...missing.map(([name, spec]) => ({ metadata: { name }, spec }) as T)]
}
