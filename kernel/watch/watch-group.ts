import type { AttributeFilter, AttributeLookup, StoreEvent } from 'orch/sdk/host'
import { SharedChunk } from '../contracts/exchange.js'
import { lookUp } from '../storage/attributes.js'
import type { EventEncoder, OutsideConversion, ToEncode } from './event-encoder.js'
import { selectEvent } from './watch-event.js'
import type { Watcher } from './watcher.js'

/** How many events are converted in one call. */
const conversionBatchSize = 100
/** How many may wait for conversion; beyond that the webhook is too slow, and the watches end. */
const maxWaiting = 10_000

/** What watchers of one group have in common. */
export interface WatchGroupKey {
  /** Equal for watchers that see the same bytes. */
  readonly id: string
  readonly typeKey: string
  /** Empty for all namespaces. */
  readonly namespace: string
  /** The only key of interest, for the watch of one object. */
  readonly onlyKey: string | undefined
  readonly filter: AttributeFilter | undefined
  readonly encoder: EventEncoder
}

/** Watchers that want the same events in the same form. */
export class WatchGroup {
  readonly #key: WatchGroupKey
  readonly #watchers = new Set<Watcher>()
  #pending: Buffer[] = []
  #lastRevision = 0
  /** Events that wait for conversion, with the watchers at their time. */
  readonly #waiting: (ToEncode & { readonly watchers: readonly Watcher[] })[] = []
  #isConverting = false

  constructor(key: WatchGroupKey) {
    this.#key = key
  }
  get isEmpty(): boolean {
    return this.#watchers.size === 0
  }
  add(watcher: Watcher): void {
    // Pending events are from before this watcher went live: its replay included them.
    this.flush()
    this.#watchers.add(watcher)
  }
  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher)
  }
  endAll(): void {
    this.flush()
    for (const watcher of [...this.#watchers]) watcher.end('closed')
  }

  /** Takes an event if it concerns this group; true when there is something to flush. */
  offer(event: StoreEvent): boolean {
    const { onlyKey, filter, encoder } = this.#key
    if (onlyKey !== undefined && event.key !== onlyKey) return false
    const selected = selectEvent(event, filter)
    if (!selected) return false
    if (encoder.outside) {
      if (this.#waiting.length >= maxWaiting) {
        this.#waiting.length = 0
        this.endAll()
        return false
      }
      this.#waiting.push({ event, selected, watchers: [...this.#watchers] })
      if (!this.#isConverting) void this.#convertWaiting(encoder.outside)
      this.#isConverting = true
      return false
    }
    this.#pending.push(encoder.encode(event, selected))
    this.#lastRevision = event.revision
    return true
  }

  /** Waiting events are converted together, in order. One that cannot be converted ends the watches. */
  async #convertWaiting(outside: OutsideConversion): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
        .splice(0, conversionBatchSize)
        .filter(({ watchers }) => watchers.some(watcher => !watcher.isEnded))
      if (batch.length === 0) continue
      try {
        const frames = await outside.encode(batch)
        for (const [index, { event, watchers }] of batch.entries()) {
          const chunk = new SharedChunk(frames[index]!)
          for (const watcher of watchers) watcher.deliver(chunk, event.revision)
        }
      } catch {
        for (const { watchers } of batch) for (const watcher of watchers) watcher.end('closed')
      }
    }
    this.#isConverting = false
  }

  /** Writes what is pending to every watcher: one buffer, shared by all. */
  flush(): void {
    if (this.#pending.length === 0) return
    const bytes = this.#pending.length === 1 ? this.#pending[0]! : Buffer.concat(this.#pending)
    this.#pending = []
    const chunk = new SharedChunk(bytes)
    for (const watcher of this.#watchers) watcher.deliver(chunk, this.#lastRevision)
  }
}

type Groups = Set<WatchGroup>
/** Groups whose selectors require certain values of one label or field. */
interface ByValue {
  readonly name: Buffer
  readonly groups: Map<string, Groups>
}

/**
 * The watch groups of one type, everywhere or in one namespace, found by the key or the value that an event must have to
 * concern them: a hundred thousand watches of the Pods of one node each cost an event no more than one of them. Measured by
 * `test/bench/structure-cost.ts` and `npm run bench:cluster`.
 */
export class WatchGroups {
  readonly #byId = new Map<string, WatchGroup>()
  /** Those that any event may concern. */
  readonly #others: Groups = new Set()
  readonly #byKey = new Map<string, Groups>()
  readonly #byName = new Map<string, ByValue>()

  get isEmpty(): boolean {
    return this.#byId.size === 0
  }

  /** The group of a key; it is made if it is missing. */
  of(key: WatchGroupKey): WatchGroup {
    const known = this.#byId.get(key.id)
    if (known !== undefined) return known
    const group = new WatchGroup(key)
    this.#byId.set(key.id, group)
    const lookup = lookupOf(key)
    if (key.onlyKey !== undefined) addTo(this.#byKey, key.onlyKey, group)
    else if (lookup === undefined) this.#others.add(group)
    else this.#index(lookup, group)
    return group
  }

  remove(key: WatchGroupKey): void {
    const group = this.#byId.get(key.id)
    if (group === undefined) return
    this.#byId.delete(key.id)
    this.#others.delete(group)
    if (key.onlyKey !== undefined) return removeFrom(this.#byKey, key.onlyKey, group)
    const lookup = lookupOf(key)
    if (lookup === undefined) return
    const name = textOf(lookup.name)
    const groups = this.#byName.get(name)?.groups
    if (groups === undefined) return
    for (const value of lookup.values) removeFrom(groups, textOf(value), group)
    if (groups.size === 0) this.#byName.delete(name)
  }

  endAll(): void {
    for (const group of [...this.#byId.values()]) group.endAll()
  }

  /** Visits every group that an event may concern, once. */
  visit(event: StoreEvent, visit: (group: WatchGroup, event: StoreEvent) => void): void {
    for (const group of this.#others) visit(group, event)
    if (this.#byKey.size > 0) for (const group of this.#byKey.get(event.key) ?? nothing) visit(group, event)
    if (this.#byName.size === 0) return
    const { attributes, previousAttributes } = event
    for (const { name, groups } of this.#byName.values()) {
      const now = found(groups, attributes, name)
      if (now !== undefined) for (const group of now) visit(group, event)
      const before = previousAttributes && found(groups, previousAttributes, name)
      if (before === undefined || before === now) continue
      // A selector may name several values.
      for (const group of before) if (!now?.has(group)) visit(group, event)
    }
  }

  #index({ name, values }: AttributeLookup, group: WatchGroup): void {
    const text = textOf(name)
    let byValue = this.#byName.get(text)
    if (byValue === undefined) this.#byName.set(text, (byValue = { name, groups: new Map() }))
    for (const value of values) addTo(byValue.groups, textOf(value), group)
  }
}

const nothing: Groups = new Set()
/** The last one: fields come after labels, and distinguish more. */
const lookupOf = ({ filter }: WatchGroupKey): AttributeLookup | undefined => filter?.lookups?.at(-1)
const textOf = (bytes: Buffer): string => bytes.toString('latin1')

function found(groups: ByValue['groups'], attributes: Buffer, name: Buffer): Groups | undefined {
  const value = lookUp(attributes, 0, attributes.length, name)
  return value === undefined ? undefined : groups.get(value)
}
function addTo(map: Map<string, Groups>, key: string, group: WatchGroup): void {
  const groups = map.get(key)
  if (groups === undefined) map.set(key, new Set([group]))
  else groups.add(group)
}
function removeFrom(map: Map<string, Groups>, key: string, group: WatchGroup): void {
  const groups = map.get(key)
  groups?.delete(group)
  if (groups?.size === 0) map.delete(key)
}
