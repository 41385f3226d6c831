import type { Reader } from 'protobufjs/minimal.js'
import { setOwn } from '../../schema/own-property.js'
import { formatMicroTime, formatTime } from '../../schema/timestamps.js'
import type { FieldNode, ListNode, MapNode, ScalarKind, StructNode, TypeNode } from '../../schema/type-model.js'
import { type MessageLayout, messageLayout } from './message-layout.js'

/** Reads fields up to `end` into an object. */
export type MessageDecoder = (reader: Reader, end: number, object: Record<string, unknown>) => void
/** Reads one value after its tag. */
type ValueDecoder = (reader: Reader, wireType: number) => unknown
type FieldDecoder = (reader: Reader, wireType: number, object: Record<string, unknown>) => void

const varint = 0
const fixed64 = 1
const delimited = 2

/** Bytes that are not the message they should be. */
export class WireError extends Error {
  override readonly name = 'WireError'
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

  #list(name: string, { item }: ListNode): FieldDecoder {
    const decode = this.#value(item)
    const isNumeric = item.is === 'scalar' && numeric.has(item.scalar)
    return (reader, wireType, object) => {
      const list = ((object[name] as unknown[] | undefined) ??= [])
      if (!isNumeric || wireType !== delimited) {
        list.push(decode(reader, wireType))
        return
      }
      const itemType = item.scalar === 'double' ? fixed64 : varint
      const end = messageEnd(reader, wireType)
      while (reader.pos < end) list.push(decode(reader, itemType))
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
        return scalarDecoders[node.scalar]
      case 'unstructured':
        return scalarDecoders.raw
      case 'list':
        return this.#wrappedList(node)
      case 'map':
        throw new Error('a map inside a list or map has no Protobuf form')
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

function messageDecoder(fields: ReadonlyMap<number, FieldDecoder>): MessageDecoder {
  return (reader, end, object) => {
    while (reader.pos < end) {
      const tag = reader.uint32()
      const decode = fields.get(tag >>> 3)
      if (decode) decode(reader, tag & 7, object)
      else reader.skipType(tag & 7)
    }
    if (reader.pos !== end) throw new WireError('a field reaches beyond the end of its message')
  }
}

function messageEnd(reader: Reader, wireType: number): number {
  expectWireType(wireType, delimited)
  const end = reader.uint32() + reader.pos
  if (end > reader.len) throw new WireError('a message reaches beyond the end of the data')
  return end
}

function expectWireType(actual: number, expected: number): void {
  if (actual !== expected) throw new WireError(`wrong wire type ${actual} where ${expected} is due`)
}

const numeric: ReadonlySet<ScalarKind> = new Set(['int32', 'int64', 'double', 'boolean'])

const scalarDecoders: Readonly<Record<ScalarKind, ValueDecoder>> = {
  string(reader, wireType) {
    expectWireType(wireType, delimited)
    return reader.string()
  },
  boolean(reader, wireType) {
    expectWireType(wireType, varint)
    return reader.bool()
  },
  int32(reader, wireType) {
    expectWireType(wireType, varint)
    return reader.int32()
  },
  int64(reader, wireType) {
    expectWireType(wireType, varint)
    const value = reader.int64()
    return typeof value === 'number' ? value : value.high * 2 ** 32 + (value.low >>> 0)
  },
  double(reader, wireType) {
    expectWireType(wireType, fixed64)
    return reader.double()
  },
  bytes(reader, wireType) {
    expectWireType(wireType, delimited)
    return toBuffer(reader.bytes()).toString('base64')
  },
  time(reader, wireType) {
    return formatTime({ ...readTimestamp(reader, wireType), nanos: 0 }) ?? null
  },
  microTime(reader, wireType) {
    return formatMicroTime(readTimestamp(reader, wireType)) ?? null
  },
  quantity(reader, wireType) {
    const message: Record<string, unknown> = {}
    quantityMessage(reader, messageEnd(reader, wireType), message)
    return message['string'] || '0'
  },
  intOrString(reader, wireType) {
    const message: Record<string, unknown> = {}
    intOrStringMessage(reader, messageEnd(reader, wireType), message)
    return message['type'] === 1 ? (message['strVal'] ?? '') : (message['intVal'] ?? 0)
  },
  raw(reader, wireType) {
    const message: Record<string, unknown> = {}
    rawMessage(reader, messageEnd(reader, wireType), message)
    const text = message['raw'] as string | undefined
    if (!text) return null
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw new WireError('a schemaless value is not JSON')
    }
  },
}

const read =
  (name: string, scalar: ScalarKind): FieldDecoder =>
  (reader, wireType, object) => {
    object[name] = scalarDecoders[scalar](reader, wireType)
  }
const quantityMessage = messageDecoder(new Map([[1, read('string', 'string')]]))
const rawMessage = messageDecoder(new Map([[1, read('raw', 'string')]]))
const intOrStringMessage = messageDecoder(
  new Map([
    [1, read('type', 'int64')],
    [2, read('intVal', 'int32')],
    [3, read('strVal', 'string')],
  ]),
)
const timestampMessage = messageDecoder(
  new Map([
    [1, read('seconds', 'int64')],
    [2, read('nanos', 'int32')],
  ]),
)

/** An empty message is a time nobody set, not 1970. */
function readTimestamp(reader: Reader, wireType: number): { seconds: number; nanos: number } {
  const end = messageEnd(reader, wireType)
  if (end === reader.pos) return { seconds: Number.NaN, nanos: 0 }
  const message: Record<string, unknown> = {}
  timestampMessage(reader, end, message)
  return { seconds: Number(message['seconds'] ?? 0), nanos: Number(message['nanos'] ?? 0) }
}

const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
