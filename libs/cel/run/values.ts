import { type Type, typeNameOf } from '../types/cel-types.js'
import { Failure } from './work.js'

/**
 * Values of expressions: null, boolean, bigint (int), number (double), string, Uint8Array (bytes), and the classes
 * below. Hosts subclass CelList and CelMap, which read their content on access, and OpaqueValue.
 */
export class Uint {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
}

export class Timestamp {
  /** Since 1970, in nanoseconds. */
  readonly nanoseconds: bigint
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

export class Duration {
  readonly nanoseconds: bigint
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

/** A type as a value. */
export class TypeValue {
  readonly name: string
  constructor(type: Type | string) {
    this.name = typeof type === 'string' ? type : typeNameOf(type)
  }
}

/** A value that may be missing. */
export class Optional {
  readonly some: { readonly value: unknown } | undefined
  constructor(some?: { readonly value: unknown }) {
    this.some = some
  }
  static readonly none = new Optional()
  static of(value: unknown): Optional {
    return new Optional({ value })
  }
}

/** A value of a type that a host adds. */
export abstract class OpaqueValue {
  abstract readonly typeName: string
  abstract equals(other: OpaqueValue): boolean
}

export abstract class CelList {
  abstract readonly size: number
  /** An item; undefined if the index is out of bounds. */
  abstract get(index: number): unknown
  *[Symbol.iterator](): IterableIterator<unknown> {
    for (let i = 0; i < this.size; i++) yield this.get(i)
  }
  /** Equality and addition of sets and map lists. Undefined for plain lists. Charges its own work. */
  get semantics(): ListSemantics | undefined {
    return undefined
  }
}
export interface ListSemantics {
  /** The key that identifies an item. `charge` is called with the size of what is read. */
  keyOf(item: unknown, charge: (steps: number) => void): string
  /** Whether items with the same key can differ and must be compared: true for map lists, false for sets. */
  readonly comparesItems: boolean
  /** A list of these items with the same semantics. */
  listOf(items: readonly unknown[]): CelList
}

/** A list created by an expression. */
export class ArrayList extends CelList {
  readonly items: readonly unknown[]
  constructor(items: readonly unknown[]) {
    super()
    this.items = items
  }
  get size(): number {
    return this.items.length
  }
  get(index: number): unknown {
    return this.items[index]
  }
  override [Symbol.iterator](): IterableIterator<unknown> {
    return this.items[Symbol.iterator]()
  }
}

export abstract class CelMap {
  abstract readonly size: number
  /** The value of a key; undefined if there is none. */
  abstract get(key: unknown): unknown
  abstract keys(): Iterable<unknown>
  has(key: unknown): boolean {
    return this.get(key) !== undefined
  }
}

/** A map created by an expression. Numbers of different types that are equal are the same key. */
export class EntriesMap extends CelMap {
  readonly #entries: ReadonlyMap<unknown, { readonly key: unknown; readonly value: unknown }>
  constructor(entries: ReadonlyMap<unknown, { readonly key: unknown; readonly value: unknown }>) {
    super()
    this.#entries = entries
  }
  static ofStrings(entries: Iterable<readonly [string, unknown]>): EntriesMap {
    return new EntriesMap(new Map([...entries].map(([key, value]) => [key, { key, value }])))
  }
  get size(): number {
    return this.#entries.size
  }
  get(key: unknown): unknown {
    return this.#entries.get(plainKey(key))?.value
  }
  *keys(): IterableIterator<unknown> {
    for (const { key } of this.#entries.values()) yield key
  }
}

/** A struct created by an expression: a map with a type name. */
export class StructValue extends EntriesMap {
  readonly typeName: string
  constructor(typeName: string, fields: Iterable<readonly [string, unknown]>) {
    super(new Map([...fields].map(([key, value]) => [key, { key, value }])))
    this.typeName = typeName
  }
}

/** The form in which a key is looked up. A value that cannot be a key has none. */
export function plainKey(key: unknown): unknown {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean') return key
  if (key instanceof Uint) return key.value
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : undefined
}

/** The name of the type of a value. */
export function typeNameOfValue(value: unknown): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return 'double'
    case 'string':
      return 'string'
  }
  if (value === null) return 'null_type'
  if (value instanceof CelList) return 'list'
  if (value instanceof StructValue) return value.typeName
  if (value instanceof CelMap) return 'map'
  if (value instanceof Uint) return 'uint'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp'
  if (value instanceof Duration) return 'google.protobuf.Duration'
  if (value instanceof TypeValue) return 'type'
  if (value instanceof Optional) return 'optional_type'
  if (value instanceof OpaqueValue) return value.typeName
  throw new Failure('not a value of an expression')
}

/** Tests whether a value can be used where a type is expected. Only the outermost part is looked at. */
export function typeTest(type: Type): (value: unknown) => boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return () => true
    case 'null':
      return value => value === null
    case 'bool':
      return value => typeof value === 'boolean'
    case 'int':
      return value => typeof value === 'bigint'
    case 'double':
      return value => typeof value === 'number'
    case 'string':
      return value => typeof value === 'string'
    case 'uint':
      return value => value instanceof Uint
    case 'bytes':
      return value => value instanceof Uint8Array
    case 'timestamp':
      return value => value instanceof Timestamp
    case 'duration':
      return value => value instanceof Duration
    case 'list':
      return value => value instanceof CelList
    case 'map':
      return value => value instanceof CelMap
    case 'type':
      return value => value instanceof TypeValue
    case 'opaque':
      if (type.name === 'optional_type') return value => value instanceof Optional
      return value => value instanceof OpaqueValue && value.typeName === type.name
    case 'struct':
      return value => (value instanceof OpaqueValue ? value.typeName === type.name : value instanceof CelMap)
    case 'error':
      return () => false
  }
}

/** The size of a value in the sense of `size()`; 1 for values without one. Strings are measured in UTF-16 units, which is cheap. */
export function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  if (value instanceof CelList || value instanceof CelMap) return value.size
  if (value instanceof Uint8Array) return value.length
  return value instanceof Optional && value.some ? sizeOfValue(value.some.value) : 1
}

export const maxInt = 2n ** 63n - 1n
export const minInt = -(2n ** 63n)
export const maxUint = 2n ** 64n - 1n
