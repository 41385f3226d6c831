import { once } from 'node:events'
import { constants, createDeflate } from 'node:zlib'
import { dictionary } from '../dictionary.js'
import { controlFrame, controlTypes } from '../frames.js'

/** Builds the frames with which a client opens streams, without a SPDY library. */
export class StreamOpener {
  /** All blocks of headers of a connection are one stream of compressed data. */
  readonly #deflate = createDeflate({ dictionary, flush: constants.Z_SYNC_FLUSH })

  async frame(id: number, headers: Readonly<Record<string, string>>, flags = 0): Promise<Buffer> {
    const parts: Buffer[] = []
    const number = (value: number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      parts.push(bytes)
    }
    number(Object.keys(headers).length)
    for (const text of Object.entries(headers).flat()) {
      number(text.length)
      parts.push(Buffer.from(text))
    }
    const block = once(this.#deflate, 'data')
    this.#deflate.write(Buffer.concat(parts))
    const [compressed] = await block
    return controlFrame(controlTypes.synStream, flags, id, 0, Buffer.alloc(2), compressed)
  }
}
