import { type CelList, type CelMap, celList, celMap } from '@bufbuild/cel'

/** How the library tells its maps and lists from other values. */
const markOf = (value: object) => Object.getOwnPropertySymbols(value)[0]!
const mapMark = markOf(celMap(new Map()))
const listMark = markOf(celList([]))

/** A map of the language that works out its values when somebody asks for them. */
export abstract class LazyMap implements ReadonlyMap<string, unknown> {
  abstract get(key: unknown): unknown
  abstract keys(): MapIterator<string>
  get size(): number {
    return [...this.keys()].length
  }
  /** As the library has it: what is null is not there. */
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

/** A list of the language over an array of JSON. */
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

/** The items of an array as values, each when it is looked at. */
export const listOver = (items: readonly unknown[], toValue: (item: unknown) => unknown): CelList =>
  new JsonList(items, toValue) as unknown as CelList

/** An object of JSON. Most expressions look at a few fields of a large one. */
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

/** The values of an object of JSON, each when it is looked at. */
export const mapOver = (
  json: Readonly<Record<string, unknown>>,
  toValue: (value: unknown) => unknown,
): ReadonlyMap<string, unknown> => new JsonMap(json, toValue)

/** A field of the object itself. Asking twice is costly where the object is a view, and needed for few names only. */
export function ownField(json: Readonly<Record<string, unknown>>, key: unknown): unknown {
  if (typeof key !== 'string' || (key in Object.prototype && !Object.hasOwn(json, key))) return undefined
  return json[key]
}

/** A value that no schema describes: numbers without a fraction are whole ones. */
export function openValue(json: unknown): unknown {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return new JsonList(json, openValue)
  return new JsonMap(json as Record<string, unknown>, openValue)
}

const contents = new WeakMap<object, unknown>()

/** A value of a type that the language itself does not know: to its library it is a map, for which functions know more. */
export function opaque(content: unknown, shownAs: ReadonlyMap<string, unknown> = new Map()): CelMap {
  const value = celMap(shownAs as never)
  contents.set(value, content)
  return value
}
/** What is behind such a value, when it is of this class. */
export function contentOf<T>(value: unknown, type: abstract new (...args: never[]) => T): T | undefined {
  const content = typeof value === 'object' && value !== null ? contents.get(value) : undefined
  return content instanceof type ? content : undefined
}
