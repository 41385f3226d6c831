import { type CelList, type CelMap, celList, celMap } from '@bufbuild/cel'

/** The symbols by which the library recognizes its maps and lists. */
const markOf = (value: object) => Object.getOwnPropertySymbols(value)[0]!
const mapMark = markOf(celMap(new Map()))
const listMark = markOf(celList([]))

/** A CEL map whose values are computed on access. */
export abstract class LazyMap implements ReadonlyMap<string, unknown> {
  abstract get(key: unknown): unknown
  abstract keys(): MapIterator<string>
  get size(): number {
    return [...this.keys()].length
  }
  /** As in the library, an entry with value null does not exist. */
  has(key: unknown): boolean {
    const value = this.get(key)
    return value !== undefined && value !== null
  }
  *values(): MapIterator<unknown> {
    for (const key of this.keys()) yield this.get(key)
  }
  *entries(): MapIterator<[string, unknown]> {
    for (const key of this.keys()) yield [key, this.get(key)]
  }
  forEach(visit: (value: unknown, key: string, map: ReadonlyMap<string, unknown>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this)
  }
  [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries()
  }
}
Object.defineProperty(LazyMap.prototype, mapMark, { value: {} })

/** A CEL list over a JSON array. */
class JsonList {
  readonly #items: readonly unknown[]
  readonly #toValue: (item: unknown) => unknown
  constructor(items: readonly unknown[], toValue: (item: unknown) => unknown) {
    this.#items = items
    this.#toValue = toValue
  }
  get size(): number {
    return this.#items.length
  }
  get(index: number): unknown {
    return index >= 0 && index < this.#items.length ? this.#toValue(this.#items[index]) : undefined
  }
  *values(): ArrayIterator<unknown> {
    for (const item of this.#items) yield this.#toValue(item)
  }
  [Symbol.iterator](): ArrayIterator<unknown> {
    return this.values()
  }
}
Object.defineProperty(JsonList.prototype, listMark, { value: {} })

/** A CEL list over a JSON array, whose items are converted on access. */
export const listOver = (items: readonly unknown[], toValue: (item: unknown) => unknown): CelList =>
  new JsonList(items, toValue) as unknown as CelList

/** A CEL map over a JSON object. Most expressions read a few fields of a large object. */
class JsonMap extends LazyMap {
  readonly #json: Readonly<Record<string, unknown>>
  readonly #toValue: (value: unknown) => unknown
  constructor(json: Readonly<Record<string, unknown>>, toValue: (value: unknown) => unknown) {
    super()
    this.#json = json
    this.#toValue = toValue
  }
  override get size(): number {
    return Object.keys(this.#json).length
  }
  get(key: unknown): unknown {
    const value = ownField(this.#json, key)
    return value === undefined ? undefined : this.#toValue(value)
  }
  keys(): MapIterator<string> {
    return Object.keys(this.#json).values() as MapIterator<string>
  }
}

/** A CEL map over a JSON object, whose values are converted on access. */
export const mapOver = (
  json: Readonly<Record<string, unknown>>,
  toValue: (value: unknown) => unknown,
): ReadonlyMap<string, unknown> => new JsonMap(json, toValue)

/** An own field of the object. `hasOwn` is slow if the object is a view, and only needed for names in `Object.prototype`. */
export function ownField(json: Readonly<Record<string, unknown>>, key: unknown): unknown {
  if (typeof key !== 'string' || (key in Object.prototype && !Object.hasOwn(json, key))) return undefined
  return json[key]
}

/** Converts JSON without a schema: numbers without a fraction become integers. */
export function openValue(json: unknown): unknown {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return new JsonList(json, openValue)
  return new JsonMap(json as Record<string, unknown>, openValue)
}

const contents = new WeakMap<object, unknown>()

/** A value of an extension type. The library sees it as a map; functions access its content with `contentOf`. */
export function opaque(content: unknown, shownAs: ReadonlyMap<string, unknown> = new Map()): CelMap {
  const value = celMap(shownAs as never)
  contents.set(value, content)
  return value
}
/** The content of such a value, if it is of this class. */
export function contentOf<T>(value: unknown, type: abstract new (...args: never[]) => T): T | undefined {
  const content = typeof value === 'object' && value !== null ? contents.get(value) : undefined
  return content instanceof type ? content : undefined
}
