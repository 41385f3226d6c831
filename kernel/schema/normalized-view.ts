import { unsetTest, zeroValue } from './presence.js'
import type { FieldNode, StructNode, TypeNode } from './type-model.js'

/**
 * An object as `normalize` would leave it, without a copy of it: fields are looked at when somebody asks for them. For those who read
 * a few fields of a large object. Keys of maps are in the order in which the object has them.
 */
export type View = (object: object, own?: Fields) => object

type Fields = Readonly<Record<string, unknown>>
/** What to show of a value. */
type Show = (value: unknown) => unknown

export function compileView(node: StructNode): View {
  const struct = new ViewCompiler().struct(node)
  return (object, own) => struct(object as Fields, own)
}

interface ViewField {
  readonly isUnset: (value: unknown) => boolean
  readonly show: Show | undefined
  /** What is there when nobody set it, of what is always written. */
  readonly zero: (() => unknown) | undefined
}

class ViewCompiler {
  readonly #structs = new Map<StructNode, (object: Fields, own?: Fields) => object>()

  struct(node: StructNode): (object: Fields, own?: Fields) => object {
    const known = this.#structs.get(node)
    if (known) return known
    let shape: Shape | undefined
    const show = (object: Fields, own?: Fields) => {
      // Compiled when the first one is looked at: a struct may contain itself, and most are never looked at.
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
      return show && (value => (Array.isArray(value) ? value.map(show) : value))
    }
    const show = node.is === 'map' ? this.#inside(node.value) : undefined
    return show && (value => (isObject(value) ? mapped(value, show) : value))
  }
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const mapped = (map: Fields, show: Show): Fields =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, show(value)]))

class Shape {
  readonly fields: ReadonlyMap<string, ViewField>
  /** Those that are there whether somebody set them or not. */
  readonly always: readonly string[]
  constructor(fields: ReadonlyMap<string, ViewField>) {
    this.fields = fields
    this.always = [...fields].flatMap(([name, { zero }]) => (zero ? [name] : []))
  }
}

/** Stands for the object in a proxy, which may show nothing else than a frozen one has. */
const nothing: Record<string, unknown> = {}

class StructView implements ProxyHandler<Record<string, unknown>> {
  readonly #object: Fields
  readonly #shape: Shape
  /** Fields that stand for those of the object. */
  readonly #own: Fields | undefined

  constructor(object: Fields, shape: Shape, own: Fields | undefined) {
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
    const value = this.get(target, name)
    return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: false }
  }
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
