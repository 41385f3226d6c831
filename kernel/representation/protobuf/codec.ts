import { ApiError, badRequest } from 'orch/sdk'
import type { ListChunk } from 'orch/sdk/host'
import { maxObjectItems } from '../../schema/decode-problem.js'
import type { StructNode } from '../../schema/type-model.js'
import { DecoderCompiler, readBounded } from './decode-message.js'
import { EncoderCompiler } from './encode-message.js'
import { delimited, tag } from './encode-scalar.js'
import { Transcoder } from './transcode.js'
import { type Allocate, WireWriter } from './wire-writer.js'

export { hasProtobuf } from './message-layout.js'

/** Objects of one type as Protobuf messages, without the envelope. */
export interface ProtobufCodec {
  encode(object: object): Buffer
  /** The same from the JSON text of an object. */
  transcode(json: Buffer): Buffer
  /** Many objects, each the field of this number. */
  encodeFields(number: number, objects: Iterable<object>): EncodedFields
  /** The same from their JSON texts, as the store returns them. */
  transcodeFields(number: number, texts: JoinedTexts): EncodedFields
  /** Many objects from their JSON texts, each as a length-prefixed event of a watch. */
  transcodeEvents(around: EventAround, texts: JoinedTexts, allocate: Allocate): Buffer
  /**
   * The object as parsed JSON would have it: the type's Decoder still has to apply its rules (presence,
   * canonical quantities, ranges). Throws `badRequest` for bytes that are not the message, `tooLarge` for more items than an
   * object may have.
   */
  decode(bytes: Uint8Array, maxItems?: number): Record<string, unknown>
}
/** Consecutive fields, and the end of each. */
export interface EncodedFields {
  readonly bytes: Buffer
  readonly ends: readonly number[]
}
/** Texts separated by one byte. */
export type JoinedTexts = Pick<ListChunk, 'joined' | 'offsets'>

/** The bytes around the message of an object in an event of a watch, except lengths. */
export interface EventAround {
  /** The type of the event, and the tag of its object. */
  readonly eventHead: Buffer
  /** The tag of the raw object. */
  readonly objectTag: number
  /** The start of the envelope, and the tag of its message. */
  readonly envelopeHead: Buffer
  readonly envelopeEnd: Buffer
}

/** Compiles the codec of a type. Only for types that `hasProtobuf`. */
export function compileProtobuf(node: StructNode): ProtobufCodec {
  const encode = new EncoderCompiler().struct(node) as (object: object, writer: WireWriter) => void
  const writer = new WireWriter()
  const decode = new DecoderCompiler().struct(node)
  let transcoder: Transcoder | undefined
  const transcoding = (json: Buffer): Transcoder => {
    transcoder ??= new Transcoder(node)
    transcoder.begin(json)
    return transcoder
  }
  const append = (job: Transcoder, start: number, end: number): void => {
    if (!job.append(start, end)) encode(job.text.value(start, end) as object, job.writer)
  }
  return {
    encode(object) {
      writer.reset()
      encode(object, writer)
      return writer.toBytes()
    },
    transcode(json) {
      const job = transcoding(json)
      append(job, 0, json.length)
      return job.writer.toBytes()
    },
    encodeFields(number, objects) {
      writer.reset()
      const ends: number[] = []
      for (const object of objects) {
        const start = writer.unsigned(tag(number, delimited)).begin()
        encode(object, writer)
        writer.end(start)
        ends.push(writer.length)
      }
      return { bytes: writer.toBytes(), ends }
    },
    transcodeFields(number, { joined, offsets }) {
      const job = transcoding(joined)
      const head = tag(number, delimited)
      const ends: number[] = []
      for (let index = 0; index < offsets.length; index++) {
        const from = offsets[index]!
        const to = (offsets[index + 1] ?? joined.length + 1) - 1
        const start = job.writer.unsigned(head).begin(to - from)
        append(job, from, to)
        job.writer.end(start, to - from)
        ends.push(job.writer.length)
      }
      return { bytes: job.writer.toBytes(), ends }
    },
    transcodeEvents({ eventHead, objectTag, envelopeHead, envelopeEnd }, { joined, offsets }, allocate) {
      const job = transcoding(joined)
      const { writer } = job
      for (let index = 0; index < offsets.length; index++) {
        const from = offsets[index]!
        const to = (offsets[index + 1] ?? joined.length + 1) - 1
        const guess = to - from
        const frame = writer.beginFrame()
        const event = writer.append(eventHead).begin(guess)
        const object = writer.unsigned(objectTag).begin(guess)
        const message = writer.append(envelopeHead).begin(guess)
        append(job, from, to)
        writer.end(message, guess)
        writer.append(envelopeEnd).end(object, guess)
        writer.end(event, guess)
        writer.endFrame(frame)
      }
      return writer.toBytes(allocate)
    },
    decode: (bytes, maxItems = maxObjectItems) => reading(() => readBounded(bytes, decode, maxItems)),
  }
}

/** Reads bytes of a client; any error in them is a 400. */
export function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw badRequest(`unable to decode Protobuf: ${(error as Error).message}`)
  }
}
