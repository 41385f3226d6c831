import { badRequest } from 'orch/sdk'
import protobuf from 'protobufjs/minimal.js'
import { type EventAround, reading } from './codec.js'

/** Every Protobuf body starts with these bytes, whatever the vendor: clients reject others. */
const prefix = Buffer.from([0x6b, 0x38, 0x73, 0x00])
/** contentEncoding and contentType, both empty: the raw bytes are a plain message. */
const envelopeEnd = Buffer.from([0x1a, 0x00, 0x22, 0x00])
const delimitedTag = (number: number): number => (number << 3) | 2

export interface TypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

/** The parts of an event, and of the envelope inside it. */
export function eventAround(eventType: string, type: TypeMeta): EventAround {
  const eventHead = protobuf.Writer.create().uint32(delimitedTag(1)).string(eventType).uint32(delimitedTag(2))
  const { head } = envelopeAround(type, 0)
  return {
    eventHead: Buffer.from(eventHead.finish()),
    objectTag: delimitedTag(1),
    // Without the length, which is a single byte here.
    envelopeHead: Buffer.from(head.subarray(0, -1)),
    envelopeEnd,
  }
}

/** The envelope of a message: the bytes before and after it. */
export function envelopeAround(type: TypeMeta, rawLength: number): { head: Uint8Array; tail: Uint8Array } {
  const writer = protobuf.Writer.create()
  writer.uint32(delimitedTag(1)).fork()
  writer.uint32(delimitedTag(1)).string(type.apiVersion).uint32(delimitedTag(2)).string(type.kind)
  writer.ldelim().uint32(delimitedTag(2)).uint32(rawLength)
  return { head: Buffer.concat([prefix, writer.finish()]), tail: envelopeEnd }
}

/** A message as a response or request body. */
export function wrapEnvelope(type: TypeMeta, raw: Uint8Array): Buffer {
  const { head, tail } = envelopeAround(type, raw.length)
  return Buffer.concat([head, raw, tail])
}

/** Unwraps a body. Throws `badRequest` if it is not an enveloped message. */
export function unwrapEnvelope(body: Uint8Array): TypeMeta & { raw: Uint8Array } {
  if (body.length < prefix.length || prefix.compare(body, 0, prefix.length) !== 0) {
    throw badRequest('provided data does not appear to be a Protobuf message, expected prefix 6b 38 73 00')
  }
  if (body.length === prefix.length) throw badRequest('empty body')
  const found = { apiVersion: '', kind: '', contentEncoding: '', raw: new Uint8Array() as Uint8Array }
  reading(() => {
    const reader = protobuf.Reader.create(body.subarray(prefix.length))
    while (reader.pos < reader.len) {
      const tag = reader.uint32()
      if (tag === delimitedTag(1)) Object.assign(found, readTypeMeta(reader.bytes()))
      else if (tag === delimitedTag(2)) found.raw = reader.bytes()
      else if (tag === delimitedTag(3)) found.contentEncoding = reader.string()
      else reader.skipType(tag & 7)
    }
  })
  if (found.contentEncoding !== '')
    throw badRequest(`content encoding ${JSON.stringify(found.contentEncoding)} is not supported`)
  return { apiVersion: found.apiVersion, kind: found.kind, raw: found.raw }
}

function readTypeMeta(bytes: Uint8Array): TypeMeta {
  const reader = protobuf.Reader.create(bytes)
  const type = { apiVersion: '', kind: '' }
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag === delimitedTag(1)) type.apiVersion = reader.string()
    else if (tag === delimitedTag(2)) type.kind = reader.string()
    else reader.skipType(tag & 7)
  }
  return type
}

/** One event of a watch stream: a big-endian length, then a WatchEvent whose object is an enveloped message. */
export function watchFrame(eventType: string, envelopedObject: Uint8Array): Buffer {
  const writer = protobuf.Writer.create()
  writer.uint32(delimitedTag(1)).string(eventType)
  writer.uint32(delimitedTag(2)).fork().uint32(delimitedTag(1)).bytes(envelopedObject).ldelim()
  const event = writer.finish()
  const frame = Buffer.allocUnsafe(4 + event.length)
  frame.writeUInt32BE(event.length, 0)
  frame.set(event, 4)
  return frame
}
