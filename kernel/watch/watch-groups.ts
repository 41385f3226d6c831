import type { AttributeLookup, StoreEvent } from 'orch/sdk/host'
import { lookUp } from '../storage/attributes.js'
import { WatchGroup, type WatchGroupKey } from './watch-group.js'

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
