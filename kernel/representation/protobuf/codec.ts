import { ApiError, badRequest } from 'orch/sdk'
import protobuf from 'protobufjs/minimal.js'
import { maxObjectItems } from '../../schema/decode-problem.js'
import type { StructNode } from '../../schema/type-model.js'
import { DecoderCompiler, readBounded } from './decode-message.js'
import { EncoderCompiler } from './encode-message.js'
import { WireWriter } from './wire-writer.js'

export { hasProtobuf } from './message-layout.js'

/** Objects of one type as Protobuf messages, without the envelope. */
export interface ProtobufCodec {
  encode(object: object): Uint8Array
  /**
   * What the same object would have been as parsed JSON: the type's Decoder still has to apply its rules (presence,
   * canonical quantities, ranges). Throws `badRequest` for bytes that are not the message, `tooLarge` for more items than an
   * object may have.
   */
  decode(bytes: Uint8Array, maxItems?: number): Record<string, unknown>
}

/** Compiles the codec of a type. Only for types that `hasProtobuf`. */
export function compileProtobuf(node: StructNode): ProtobufCodec {
  const encode = new EncoderCompiler().struct(node)
  const writer = new WireWriter()
  const decode = new DecoderCompiler().struct(node)
  return {
    encode(object) {
      writer.reset()
      encode(object as Record<string, unknown>, writer)
      return writer.toBytes()
    },
    decode: (bytes, maxItems = maxObjectItems) =>
      reading(() =>
        readBounded(maxItems, () => {
          const object: Record<string, unknown> = {}
          decode(protobuf.Reader.create(bytes), bytes.length, object)
          return object
        }),
      ),
  }
}

/** Runs a read of client bytes; whatever is wrong with them is the client's mistake. */
export function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw badRequest(`unable to decode Protobuf: ${(error as Error).message}`)
  }
}
