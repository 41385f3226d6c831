import { CelList, CelMap, type ListSemantics } from '../cel/index.js'
import type { JsonObject } from '../json/index.js'

/** Converts JSON to a value of an expression. */
export type ToValue = (json: unknown) => unknown

/** Maps with more keys are cached. */
const manyKeys = 64

/** A map over JSON. Listing the keys of a large object takes as long as reading it, so it is done once in an evaluation. */
abstract class KeyedMap extends CelMap {
  #keys: readonly string[] | undefined
  /** Called when the map turns out to be large, so that its creator caches it. */
  onLarge: (() => void) | undefined
  protected abstract listKeys(): readonly string[]
  keys(): readonly string[] {
    if (!this.#keys) {
      this.#keys = this.listKeys()
      if (this.#keys.length > manyKeys) this.onLarge?.()
    }
    return this.#keys
  }
  get size(): number {
    return this.keys().length
  }
}

/** Parts of a list or map that are large, by their index or key. A value with a large part is itself large. */
class LargeParts {
  #kept: Map<unknown, unknown> | undefined
  readonly #owner: { onLarge: (() => void) | undefined }
  constructor(owner: { onLarge: (() => void) | undefined }) {
    this.#owner = owner
  }
  get(key: unknown): unknown {
    return this.#kept?.get(key)
  }
  /** Keeps a part once it turns out to be large. */
  watch(key: unknown, part: unknown): unknown {
    if (part instanceof KeyedMap || part instanceof JsonList)
      part.onLarge = () => {
        this.#kept ??= new Map()
        this.#kept.set(key, part)
        this.#owner.onLarge?.()
      }
    return part
  }
}

/** A list over a JSON array, whose items are converted on access. */
export class JsonList extends CelList {
  readonly #items: readonly unknown[]
  readonly #toValue: ToValue
  readonly #semantics: ListSemantics | undefined
  readonly #large = new LargeParts(this)
  onLarge: (() => void) | undefined
  constructor(items: readonly unknown[], toValue: ToValue, semantics?: ListSemantics) {
    super()
    this.#items = items
    this.#toValue = toValue
    this.#semantics = semantics
  }
  override get semantics(): ListSemantics | undefined {
    return this.#semantics
  }
  get size(): number {
    return this.#items.length
  }
  get(index: number): unknown {
    const kept = this.#large.get(index)
    if (kept !== undefined) return kept
    return index >= 0 && index < this.#items.length
      ? this.#large.watch(index, this.#toValue(this.#items[index]))
      : undefined
  }
}

/** A map over a JSON object. Most expressions read a few fields of a large object. */
export class JsonMap extends KeyedMap {
  readonly #json: Readonly<JsonObject>
  readonly #toValue: ToValue
  readonly #large = new LargeParts(this)
  constructor(json: Readonly<JsonObject>, toValue: ToValue) {
    super()
    this.#json = json
    this.#toValue = toValue
  }
  get(key: unknown): unknown {
    const kept = this.#large.get(key)
    if (kept !== undefined) return kept
    const value = ownField(this.#json, key)
    return value === undefined ? undefined : this.#large.watch(key, this.#toValue(value))
  }
  protected listKeys(): readonly string[] {
    return Object.keys(this.#json)
  }
}

/** A map over an object with the fields of its schema, under their names in expressions. */
export class FieldsMap extends KeyedMap {
  readonly #json: Readonly<JsonObject>
  readonly #fields: ReadonlyMap<string, ShownField>
  /** An object has few fields that are lists or maps; they are converted once. */
  #parts: Map<unknown, unknown> | undefined
  constructor(json: Readonly<JsonObject>, fields: ReadonlyMap<string, ShownField>) {
    super()
    this.#json = json
    this.#fields = fields
  }
  get(key: unknown): unknown {
    const known = this.#parts?.get(key)
    if (known !== undefined) return known
    const field = this.#fields.get(key as string)
    const json = field && ownField(this.#json, field.name)
    // Expressions see a null field as absent.
    if (json === undefined || json === null) return undefined
    const value = field!.toValue(json)
    if (typeof value !== 'object') return value
    if (!this.#parts) this.#parts = new Map()
    this.#parts.set(key, value)
    if (value instanceof KeyedMap || value instanceof JsonList) value.onLarge = () => this.onLarge?.()
    return value
  }
  protected listKeys(): readonly string[] {
    const isThere = (shown: string) => (ownField(this.#json, this.#fields.get(shown)!.name) ?? null) !== null
    return [...this.#fields.keys()].filter(isThere)
  }
}
export interface ShownField {
  readonly name: string
  readonly toValue: ToValue
}

/** An own field of the object. `hasOwn` is slow if the object is a view, and only needed for names in `Object.prototype`. */
export function ownField(json: Readonly<JsonObject>, key: unknown): unknown {
  if (typeof key !== 'string' || (key in Object.prototype && !Object.hasOwn(json, key))) return undefined
  return json[key]
}

export const isObject = (json: unknown): json is Readonly<JsonObject> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** Converts JSON without a schema: numbers without a fraction become integers. */
export function openValue(json: unknown): unknown {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json
  if (typeof json !== 'object' || json === null) return json
  return Array.isArray(json) ? new JsonList(json, openValue) : new JsonMap(json as Readonly<JsonObject>, openValue)
}
