import type { FieldNode, ListNode, MapNode, StructNode, TypeNode, WireFormNodes } from '../../schema/type-model.js'
import { delimited, scalarEncoders, tag, type ValueEncoder } from './encode-scalar.js'
import { type Member, type MessageLayout, messageLayout } from './message-layout.js'
import type { WireWriter } from './wire-writer.js'

/** Writes the fields of an object, without a length prefix. */
export type MessageEncoder = (object: Record<string, unknown>, writer: WireWriter) => void

export class EncoderCompiler {
  readonly #structs = new Map<StructNode, MessageEncoder>()

  struct(node: StructNode): MessageEncoder {
    const known = this.#structs.get(node)
    if (known) return known
    const steps: MessageEncoder[] = []
    const encode = inOrder(steps)
    // Registered before its fields are compiled: a struct may contain itself.
    this.#structs.set(node, encode)
    this.#members(messageLayout(node), steps)
    return encode
  }

  #members(layout: MessageLayout, steps: MessageEncoder[]): void {
    for (const member of layout.members) steps.push(this.#member(member))
  }

  #member(member: Member): MessageEncoder {
    if (member.is === 'field') return this.#field(member.number, member.field)
    const steps: MessageEncoder[] = []
    this.#members(member.layout, steps)
    const inner = inOrder(steps)
    const head = tag(member.number, delimited)
    return (object, writer) => {
      const start = writer.unsigned(head).begin()
      inner(object, writer)
      writer.end(start)
    }
  }

  #field(number: number, field: FieldNode): MessageEncoder {
    const { name, node } = field
    const encode = this.value(number, node)
    const zero = unsetOnWire(field)
    return (object, writer) => {
      const value = object[name]
      if (value !== undefined && value !== null) encode(value, writer)
      else if (zero !== undefined) encode(zero, writer)
    }
  }

  value(number: number, node: TypeNode): ValueEncoder {
    switch (node.is) {
      case 'struct': {
        const encode = this.struct(node)
        const head = tag(number, delimited)
        return (value, writer) => {
          const start = writer.unsigned(head).begin()
          encode(value as Record<string, unknown>, writer)
          writer.end(start)
        }
      }
      case 'list':
        return this.#list(number, node)
      case 'map':
        return this.#map(number, node)
      case 'scalar':
        return node.forms ? this.#forms(number, node.forms) : scalarEncoders[node.scalar](number)
      case 'unstructured':
        return scalarEncoders.raw(number)
    }
  }

  /** A value of one of several forms: a message with the field of that form. */
  #forms(number: number, { bool, object, list }: WireFormNodes): ValueEncoder {
    const head = tag(number, delimited)
    const writeBool = bool === undefined ? undefined : scalarEncoders.boolean(bool)
    const writeObject = this.value(object.number, object.node)
    const writeItem = list && this.value(list.number, list.node)
    return (value, writer) => {
      const start = writer.unsigned(head).begin()
      if (Array.isArray(value)) for (const item of value) writeItem?.(item, writer)
      else {
        writeBool?.(value !== false && value !== null, writer)
        if (typeof value === 'object' && value !== null) writeObject(value, writer)
      }
      writer.end(start)
    }
  }

  #list(number: number, node: ListNode): ValueEncoder {
    const encode = this.#item(number, node.item)
    return (value, writer) => {
      for (const item of value as unknown[]) encode(item, writer)
    }
  }

  #map(number: number, node: MapNode): ValueEncoder {
    const head = tag(number, delimited)
    const keyHead = tag(1, delimited)
    const encode = this.#item(2, node.value)
    return (value, writer) => {
      const map = value as Record<string, unknown>
      for (const key of Object.keys(map).sort()) {
        const start = writer.unsigned(head).begin()
        writer.unsigned(keyHead).text(key)
        encode(map[key], writer)
        writer.end(start)
      }
    }
  }

  /** A list cannot be a value inside a list or map; it is wrapped in a message, as field 1. */
  #item(number: number, node: TypeNode): ValueEncoder {
    if (node.is !== 'list') return this.value(number, node)
    const encode = this.value(1, node)
    const head = tag(number, delimited)
    return (value, writer) => {
      const start = writer.unsigned(head).begin()
      if (value !== null) encode(value, writer)
      writer.end(start)
    }
  }
}

function inOrder(steps: readonly MessageEncoder[]): MessageEncoder {
  return (object, writer) => {
    for (let index = 0; index < steps.length; index++) steps[index]!(object, writer)
  }
}

/**
 * The encoding of an unset field. Optional values (Go pointers), lists, maps and bytes are omitted; everything else is written
 * with its zero value, as the encoders of clients do.
 */
export function unsetOnWire({ node, presence, nullable }: FieldNode): unknown {
  if (presence === 'keep' || nullable) return undefined
  if (node.is === 'struct') return presence === 'always' ? {} : undefined
  if (node.is !== 'scalar') return undefined
  switch (node.scalar) {
    case 'string':
      return ''
    case 'boolean':
      return false
    case 'int32':
    case 'int64':
    case 'double':
      return 0
    case 'quantity':
      return presence === 'always' ? '0' : undefined
    case 'intOrString':
      return presence === 'always' ? 0 : undefined
    case 'time':
    case 'microTime':
      return presence === 'always' ? '' : undefined
    case 'bytes':
    case 'raw':
      return undefined
  }
}
