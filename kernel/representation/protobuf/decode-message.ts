import protobuf from 'protobufjs/minimal.js'
import { setOwn } from '../../../libs/json/index.js'
import { tooManyItems } from '../../schema/decode-problem.js'
import type { FieldNode, ListNode, MapNode, StructNode, TypeNode, WireFormNodes } from '../../schema/type-model.js'
import {
  type BoundedReader,
  delimited,
  type FieldDecoder,
  fixed64,
  type MessageDecoder,
  messageDecoder,
  messageEnd,
  numeric,
  scalarDecoders,
  type ValueDecoder,
  varint,
  WireError,
} from './decode-scalar.js'
import { type MessageLayout, messageLayout } from './message-layout.js'

/** Reads a message with at most this many items of lists and maps in total; a 413 beyond. */
export function readBounded(bytes: Uint8Array, decode: MessageDecoder, maxItems: number): Record<string, unknown> {
  const reader: BoundedReader = Object.assign(protobuf.Reader.create(bytes), { itemsLeft: maxItems })
  const object: Record<string, unknown> = {}
  try {
    decode(reader, bytes.length, object)
  } catch (error) {
    throw reader.itemsLeft < 0 ? tooManyItems(maxItems) : error
  }
  return object
}

function countItem(reader: BoundedReader): void {
  if (--reader.itemsLeft < 0) throw new WireError('too many items')
}

export class DecoderCompiler {
  readonly #structs = new Map<StructNode, MessageDecoder>()

  struct(node: StructNode): MessageDecoder {
    const known = this.#structs.get(node)
    if (known) return known
    const fields = new Map<number, FieldDecoder>()
    const decode = messageDecoder(fields)
    // Registered before its fields are compiled: a struct may contain itself.
    this.#structs.set(node, decode)
    this.#members(messageLayout(node), fields)
    return decode
  }

  #members(layout: MessageLayout, fields: Map<number, FieldDecoder>): void {
    for (const member of layout.members) {
      if (member.is === 'field') {
        fields.set(member.number, this.#field(member.field))
        continue
      }
      const inner = new Map<number, FieldDecoder>()
      this.#members(member.layout, inner)
      const decode = messageDecoder(inner)
      fields.set(member.number, (reader, wireType, object) => decode(reader, messageEnd(reader, wireType), object))
    }
  }

  #field({ name, node }: FieldNode): FieldDecoder {
    if (node.is === 'list') return this.#list(name, node)
    if (node.is === 'map') return this.#map(name, node)
    const decode = this.#value(node)
    return (reader, wireType, object) => {
      object[name] = decode(reader, wireType)
    }
  }

  #list(name: string, { item }: Pick<ListNode, 'item'>): FieldDecoder {
    const decode = this.#value(item)
    const isNumeric = item.is === 'scalar' && numeric.has(item.scalar)
    return (reader, wireType, object) => {
      const list = ((object[name] as unknown[] | undefined) ??= [])
      if (!isNumeric || wireType !== delimited) {
        countItem(reader)
        list.push(decode(reader, wireType))
        return
      }
      const itemType = item.scalar === 'double' ? fixed64 : varint
      const end = messageEnd(reader, wireType)
      for (; reader.pos < end; list.push(decode(reader, itemType))) countItem(reader)
      if (reader.pos !== end) throw new WireError('a packed list ends inside a number')
    }
  }

  #map(name: string, { value }: MapNode): FieldDecoder {
    const decodeValue = this.#value(value)
    const entry = messageDecoder(
      new Map<number, FieldDecoder>([
        [1, (reader, wireType, object) => void (object['key'] = scalarDecoders.string(reader, wireType))],
        [2, (reader, wireType, object) => void (object['value'] = decodeValue(reader, wireType))],
      ]),
    )
    return (reader, wireType, object) => {
      const map = ((object[name] as Record<string, unknown> | undefined) ??= {})
      countItem(reader)
      const pair: Record<string, unknown> = { key: '', value: null }
      entry(reader, messageEnd(reader, wireType), pair)
      setOwn(map, pair['key'] as string, pair['value'])
    }
  }

  #value(node: TypeNode): ValueDecoder {
    switch (node.is) {
      case 'struct': {
        const decode = this.struct(node)
        return (reader, wireType) => {
          const object: Record<string, unknown> = {}
          decode(reader, messageEnd(reader, wireType), object)
          return object
        }
      }
      case 'scalar':
        return node.forms ? this.#forms(node.forms) : scalarDecoders[node.scalar]
      case 'unstructured':
        return scalarDecoders.raw
      case 'list':
        return this.#wrappedList(node)
      case 'map':
        throw new Error('a map inside a list or map has no Protobuf form')
    }
  }

  /** A value of one of several forms: the list if it has items, else the object, else the boolean. */
  #forms({ bool, object, list }: WireFormNodes): ValueDecoder {
    const fields = new Map<number, FieldDecoder>()
    const into =
      (name: string, decode: ValueDecoder): FieldDecoder =>
      (reader, wireType, forms) => {
        forms[name] = decode(reader, wireType)
      }
    if (bool !== undefined) fields.set(bool, into('bool', scalarDecoders.boolean))
    fields.set(object.number, into('object', this.#value(object.node)))
    if (list) fields.set(list.number, this.#list('list', { item: list.node }))
    const decode = messageDecoder(fields)
    return (reader, wireType) => {
      const forms: Record<string, unknown> = {}
      decode(reader, messageEnd(reader, wireType), forms)
      return forms['list'] ?? forms['object'] ?? (bool === undefined ? null : (forms['bool'] ?? false))
    }
  }

  #wrappedList(node: ListNode): ValueDecoder {
    const decode = messageDecoder(new Map([[1, this.#list('items', node)]]))
    return (reader, wireType) => {
      const holder: Record<string, unknown> = { items: [] }
      decode(reader, messageEnd(reader, wireType), holder)
      return holder['items']
    }
  }
}
