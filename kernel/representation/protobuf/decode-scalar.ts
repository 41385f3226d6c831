import type { Reader } from 'protobufjs/minimal.js'
import { formatMicroTime, formatTime } from '../../schema/timestamps.js'
import type { ScalarKind } from '../../schema/type-model.js'

/** Reads a message, and counts the remaining items. */
export type BoundedReader = Reader & { itemsLeft: number }
/** Reads fields up to `end` into an object. */
export type MessageDecoder = (reader: BoundedReader, end: number, object: Record<string, unknown>) => void
/** Reads one value after its tag. */
export type ValueDecoder = (reader: BoundedReader, wireType: number) => unknown
export type FieldDecoder = (reader: BoundedReader, wireType: number, object: Record<string, unknown>) => void

export const varint = 0
export const fixed64 = 1
export const delimited = 2

/** Bytes that are not a valid message. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

export function messageDecoder(fields: ReadonlyMap<number, FieldDecoder>): MessageDecoder {
  return (reader, end, object) => {
    while (reader.pos < end) {
      const tag = reader.uint32()
      const decode = fields.get(tag >>> 3)
      if (decode) decode(reader, tag & 7, object)
      else reader.skipType(tag & 7)
    }
    if (reader.pos !== end) throw new WireError('a field extends beyond the end of its message')
  }
}

export function messageEnd(reader: BoundedReader, wireType: number): number {
  expectWireType(wireType, delimited)
  const end = reader.uint32() + reader.pos
  if (end > reader.len) throw new WireError('a message extends beyond the end of the data')
  return end
}

function expectWireType(actual: number, expected: number): void {
  if (actual !== expected) throw new WireError(`wire type ${actual} where ${expected} is expected`)
}

/** Lists of these may be packed. */
export const numeric: ReadonlySet<ScalarKind> = new Set(['int32', 'int64', 'double', 'boolean'])

export const scalarDecoders: Readonly<Record<ScalarKind, ValueDecoder>> = {
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

/** An empty message is an unset time, not 1970. */
function readTimestamp(reader: BoundedReader, wireType: number): { seconds: number; nanos: number } {
  const end = messageEnd(reader, wireType)
  if (end === reader.pos) return { seconds: Number.NaN, nanos: 0 }
  const message: Record<string, unknown> = {}
  timestampMessage(reader, end, message)
  return { seconds: Number(message['seconds'] ?? 0), nanos: Number(message['nanos'] ?? 0) }
}

const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
