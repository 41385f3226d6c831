import { type CelMap, celList, celMap } from '@bufbuild/cel'

/** A map that works out its values when somebody asks for them. */
export abstract class LazyMap implements ReadonlyMap<string, unknown> {
  abstract get(key: string): unknown
  abstract keys(): MapIterator<string>
  get size(): number {
    return [...this.keys()].length
  }
  has(key: string): boolean {
    return this.get(key) !== undefined
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

/** An object of JSON. Most expressions look at a few fields of a large one. */
class JsonMap extends LazyMap {
  readonly #json: Readonly<Record<string, unknown>>
  constructor(json: Readonly<Record<string, unknown>>) {
    super()
    this.#json = json
  }
  override get size(): number {
    return Object.keys(this.#json).length
  }
  get(key: string): unknown {
    return Object.hasOwn(this.#json, key) ? openValue(this.#json[key]) : undefined
  }
  keys(): MapIterator<string> {
    return Object.keys(this.#json).values()
  }
}

/** A value that no schema describes: numbers without a fraction are whole ones. */
export function openValue(json: unknown): unknown {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return celList(json.map(openValue) as never)
  return celMap(new JsonMap(json as Record<string, unknown>) as never)
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
