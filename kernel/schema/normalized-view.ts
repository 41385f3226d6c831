import { unsetTest, zeroValue } from './presence.js'
import type { FieldNode, StructNode, TypeNode } from './type-model.js'

/**
 * An object as `normalize` would leave it, without a copy: fields are normalized when they are read. For callers that read a few
 * fields of a large object. Keys of maps are in the order of the object.
 */
export type View = (object: object, own?: Fields) => object

type Fields = Readonly<Record<string, unknown>>
/** Returns the view of a value. */
type Show = (value: unknown) => unknown

export function compileView(node: StructNode): View {
  const struct = new ViewCompiler().struct(node)
  return (object, own) => struct(object as Fields, own)
}

interface ViewField {
  readonly isUnset: (value: unknown) => boolean
  readonly show: Show | undefined
  /** The value of an unset field that is always written. */
  readonly zero: (() => unknown) | undefined
}

class ViewCompiler {
  readonly #structs = new Map<StructNode, (object: Fields, own?: Fields) => object>()

  struct(node: StructNode): (object: Fields, own?: Fields) => object {
    const known = this.#structs.get(node)
    if (known) return known
    let shape: Shape | undefined
    const show = (object: Fields, own?: Fields) => {
      // Compiled on first read: a struct may contain itself, and most are never read.
      shape ??= new Shape(new Map([...node.fields.values()].map(field => [field.name, this.#field(field)])))
      return new Proxy(nothing, new StructView(object, shape, own))
    }
    this.#structs.set(node, show)
    return show
  }

  #field(field: FieldNode): ViewField {
    return {
      isUnset: unsetTest(field),
      show: this.#inside(field.node),
      zero: field.presence === 'always' ? this.#zero(field) : undefined,
    }
  }
  #zero({ node, nullable }: FieldNode): () => unknown {
    if (nullable) return () => null
    if (node.is !== 'struct') return () => zeroValue(node, false)
    const show = this.struct(node)
    return () => show({})
  }

  /** Undefined for values that are shown as they are. */
  #inside(node: TypeNode): Show | undefined {
    if (node.is === 'struct') {
      const show = this.struct(node)
      return value => (isObject(value) ? show(value) : value)
    }
    if (node.is === 'list') {
      const show = this.#inside(node.item)
      return show && (value => (Array.isArray(value) ? new Proxy([], new ListView(value, show)) : value))
    }
    const show = node.is === 'map' ? this.#inside(node.value) : undefined
    return show && (value => (isObject(value) ? new Proxy(nothing, new MapView(value, show)) : value))
  }
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

class Shape {
  readonly fields: ReadonlyMap<string, ViewField>
  /** Fields that are always written. */
  readonly always: readonly string[]
  constructor(fields: ReadonlyMap<string, ViewField>) {
    this.fields = fields
    this.always = [...fields].flatMap(([name, { zero }]) => (zero ? [name] : []))
  }
}

/** The target of every proxy: with the object itself as target, a frozen one would restrict the values that may be shown. */
const nothing: Record<string, unknown> = {}

/** A view is read-only. */
abstract class ReadOnly {
  set(): boolean {
    return false
  }
  defineProperty(): boolean {
    return false
  }
  deleteProperty(): boolean {
    return false
  }
}
const shownProperty = (value: unknown): PropertyDescriptor | undefined =>
  value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: false }

/** A map whose values have fields. */
class MapView extends ReadOnly implements ProxyHandler<Record<string, unknown>> {
  readonly #map: Fields
  readonly #show: Show
  constructor(map: Fields, show: Show) {
    super()
    this.#map = map
    this.#show = show
  }
  get(_: object, name: string | symbol): unknown {
    return typeof name === 'string' && Object.hasOwn(this.#map, name) ? this.#show(this.#map[name]) : undefined
  }
  has(_: object, name: string | symbol): boolean {
    return Object.hasOwn(this.#map, name)
  }
  ownKeys(): string[] {
    return Object.keys(this.#map)
  }
  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    return shownProperty(this.get(target, name))
  }
}

const isIndex = (name: string) => name.charCodeAt(0) <= nine && name.charCodeAt(0) >= zero
const [zero, nine] = [48, 57]

/** A list whose items have fields: reading an item takes constant time. */
class ListView extends ReadOnly implements ProxyHandler<unknown[]> {
  readonly #list: readonly unknown[]
  readonly #show: Show
  constructor(list: readonly unknown[], show: Show) {
    super()
    this.#list = list
    this.#show = show
  }
  get(_: object, name: string | symbol): unknown {
    if (name === 'length') return this.#list.length
    if (typeof name !== 'string' || !isIndex(name)) return Array.prototype[name as never]
    const item = this.#list[name as unknown as number]
    return item === undefined ? undefined : this.#show(item)
  }
  has(_: object, name: string | symbol): boolean {
    return name in this.#list
  }
  ownKeys(): string[] {
    return [...Object.keys(this.#list), 'length']
  }
  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    if (name === 'length') return { value: this.#list.length, enumerable: false, configurable: false, writable: true }
    return Object.hasOwn(this.#list, name) ? shownProperty(this.get(target, name)) : undefined
  }
}

class StructView extends ReadOnly implements ProxyHandler<Record<string, unknown>> {
  readonly #object: Fields
  readonly #shape: Shape
  /** Fields that replace those of the object. */
  readonly #own: Fields | undefined

  constructor(object: Fields, shape: Shape, own: Fields | undefined) {
    super()
    this.#object = object
    this.#shape = shape
    this.#own = own
  }

  get(_: object, name: string | symbol): unknown {
    if (typeof name !== 'string') return undefined
    if (this.#own && Object.hasOwn(this.#own, name)) return this.#own[name]
    const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
    const field = this.#shape.fields.get(name)
    if (!field) return value
    if (value === undefined || field.isUnset(value)) return field.zero?.()
    return field.show ? field.show(value) : value
  }
  has(target: object, name: string | symbol): boolean {
    return this.get(target, name) !== undefined
  }
  ownKeys(target: object): string[] {
    const names = new Set([...Object.keys(this.#own ?? {}), ...Object.keys(this.#object), ...this.#shape.always])
    return [...names].filter(name => this.get(target, name) !== undefined)
  }
  getOwnPropertyDescriptor(target: object, name: string | symbol): PropertyDescriptor | undefined {
    return shownProperty(this.get(target, name))
  }
}
