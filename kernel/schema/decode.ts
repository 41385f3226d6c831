import { setOwn, sortedKeys } from '../../libs/json/index.js'
import { DecodeContext, type DecodeReport } from './decode-problem.js'
import { decodeForms, decodeUnstructured, scalarDecoders, type ValueDecoder } from './decode-scalar.js'
import { isNull, unsetWhenSent, zeroValue } from './presence.js'
import type { FieldNode, ListNode, MapNode, StructNode, TypeNode } from './type-model.js'

/** Type names as Kubernetes shows them in messages: `v1.ObjectMeta`, `[]string`. */
const goNameOf = (node: StructNode): string => node.name.split('.').slice(-2).join('.') || 'struct {}'
function goTypeOf(node: TypeNode): string {
  switch (node.is) {
    case 'struct':
      return goNameOf(node)
    case 'scalar':
      return node.scalar
    case 'list':
      return `[]${goTypeOf(node.item)}`
    case 'map':
      return `map[string]${goTypeOf(node.value)}`
    case 'unstructured':
      return 'map[string]interface {}'
  }
}

export type { DecodeReport } from './decode-problem.js'

/**
 * Turns parsed JSON into an object of the type: checks every type, prunes unknown fields (and passes each to `report`),
 * drops nulls, applies the presence rules and writes quantities, times and bytes in their canonical form. The result shares
 * nothing with its input (but see `asIs`), has its fields in schema order, and has no apiVersion and kind, which the kernel adds.
 * Unknown fields are not reported if `report` has no `unknownField`. Throws `badRequest`.
 */
export type Decoder = (json: unknown, report?: DecodeReport) => Record<string, unknown>

export function compileDecoder(node: StructNode): Decoder {
  const rootName = node.name.slice(node.name.lastIndexOf('.') + 1) || 'object'
  const decode = new DecoderCompiler().struct(node, typeMetaFields(node))
  return (json, report) => {
    const context = new DecodeContext(rootName, report)
    return decode(json ?? {}, '', context) as Record<string, unknown>
  }
}

/** The fields of a top-level object that its schema does not list: checked, and left to the kernel. */
const typeMetaFields = (node: StructNode): readonly string[] =>
  ['apiVersion', 'kind'].filter(name => !node.fields.has(name))

interface CompiledField {
  readonly name: string
  readonly decode: ValueDecoder
  /** True if a decoded value means "not set". */
  readonly isUnset: (value: unknown) => boolean
  /** Creates the value of an unset field; undefined if nothing is written. */
  readonly zero: ((context: DecodeContext) => unknown) | undefined
}

class DecoderCompiler {
  readonly #structs = new Map<StructNode, ValueDecoder>()

  struct(node: StructNode, understood: readonly string[] = []): ValueDecoder {
    const known = this.#structs.get(node)
    if (known) return known
    const fields: CompiledField[] = []
    const names = new Set([...node.fields.keys(), ...understood])
    const goType = goNameOf(node)
    const decode: ValueDecoder = (value, field, context) => {
      if (typeof value !== 'object' || Array.isArray(value)) throw context.mismatch(field, value, goType)
      const json = value as Record<string, unknown>
      for (const name of understood) {
        if (json[name] !== undefined && json[name] !== null) scalarDecoders.string(json[name], name, context)
      }
      if (context.reportsUnknown) for (const name in json) if (!names.has(name)) context.unknownField(name)
      return decodeFields(fields, json, context)
    }
    // Registered before its fields are compiled: a struct may contain itself.
    this.#structs.set(node, decode)
    for (const field of metadataFirst(node)) fields.push(this.#field(field))
    return decode
  }

  #field(field: FieldNode): CompiledField {
    const { name, node, presence } = field
    const isUnset = unsetWhenSent(field)
    // Read as null where that means the same: to ask a map of thousands of keys whether it has one takes as long as reading it.
    const emptyIsUnset = node.is === 'map' && isUnset({})
    return {
      name,
      decode: emptyIsUnset ? nested(this.#map(node, () => null)) : this.#value(node),
      isUnset: emptyIsUnset ? isNull : isUnset,
      zero: presence === 'always' ? this.#zero(node, field) : undefined,
    }
  }

  #value(node: TypeNode): ValueDecoder {
    switch (node.is) {
      case 'struct':
        return nested(this.struct(node))
      case 'list':
        return nested(this.#list(node))
      case 'map':
        return nested(this.#map(node, () => ({})))
      case 'scalar':
        return node.forms ? decodeForms : scalarDecoders[node.scalar]
      case 'unstructured':
        return decodeUnstructured
    }
  }

  #list(node: ListNode): ValueDecoder {
    const decode = this.#value(node.item)
    const zero = this.#zero(node.item)
    const goType = `[]${goTypeOf(node.item)}`
    return (value, field, context) => {
      if (!Array.isArray(value)) throw context.mismatch(field, value, goType)
      context.countItems(value.length, '')
      const list = new Array<unknown>(value.length)
      for (let index = 0; index < value.length; index++) {
        const item: unknown = value[index]
        list[index] = item === null ? zero(context) : decode(item, `[${index}]`, context)
      }
      return list
    }
  }

  #map(node: MapNode, empty: () => unknown): ValueDecoder {
    const decode = this.#value(node.value)
    const zero = this.#zero(node.value)
    const goType = `map[string]${goTypeOf(node.value)}`
    return (value, field, context) => {
      if (typeof value !== 'object' || Array.isArray(value)) throw context.mismatch(field, value, goType)
      const json = value as Record<string, unknown>
      // Sorted here, where the map is built anyway; see normalize.ts.
      const { keys } = sortedKeys(json)
      context.countItems(keys.length, '')
      if (keys.length === 0) return empty()
      const map: Record<string, unknown> = {}
      for (const key of keys) {
        const item = json[key]
        setOwn(map, key, item === null ? zero(context) : decode(item, key, context))
      }
      return map
    }
  }

  /** The value of an item that was null, or of an unset field that is always written. */
  #zero(node: TypeNode, field?: FieldNode): (context: DecodeContext) => unknown {
    if (field?.nullable) return () => null
    if (node.is === 'struct') {
      const decode = this.struct(node)
      return context => decode({}, '', context)
    }
    const value = zeroValue(node, field === undefined)
    return () => value
  }
}

function decodeFields(fields: readonly CompiledField[], json: Record<string, unknown>, context: DecodeContext) {
  const object: Record<string, unknown> = {}
  for (let index = 0; index < fields.length; index++) {
    const { name, decode, isUnset, zero } = fields[index]!
    const sent = Object.hasOwn(json, name) ? json[name] : undefined
    if (sent !== undefined && sent !== null) {
      const value = sent === context.asIs ? takenAsIs(sent, name, context) : decode(sent, name, context)
      if (!isUnset(value)) {
        object[name] = value
        continue
      }
    }
    if (zero !== undefined) object[name] = zero(context)
  }
  return object
}

function takenAsIs(value: unknown, field: string, context: DecodeContext): unknown {
  if (Array.isArray(value)) context.countItems(value.length, field)
  return value
}

/** Tracks the path for everything inside a value. Not used for scalars, which are most values. */
const nested =
  (decode: ValueDecoder): ValueDecoder =>
  (value, field, context) => {
    if (value === null || typeof value !== 'object') return decode(value, field, context)
    context.enter(field)
    const result = decode(value, '', context)
    context.leave()
    return result
  }

function metadataFirst(node: StructNode): FieldNode[] {
  const fields = [...node.fields.values()]
  return [...fields.filter(field => field.name === 'metadata'), ...fields.filter(field => field.name !== 'metadata')]
}
