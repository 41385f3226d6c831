import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib'
import { dictionary } from './dictionary.js'
import { SpdyError } from './spdy-error.js'

/** Names in lower case. */
export type SpdyHeaders = Readonly<Record<string, string>>

/** A few bytes may inflate a thousandfold, so larger blocks are rejected. */
const maxBlockBytes = 64 * 1024
const maxHeaders = 100

/**
 * One direction of compression. All header blocks of a connection form one compressed stream, so they must be processed
 * in order.
 */
class Squeeze {
  readonly #stream: Deflate | Inflate
  readonly #limitBytes: number
  #last: Promise<unknown> = Promise.resolve()
  constructor(stream: Deflate | Inflate, limitBytes: number) {
    this.#stream = stream
    this.#limitBytes = limitBytes
    // Reported to the code that waits for a block.
    stream.on('error', () => {})
  }

  pass(block: Buffer): Promise<Buffer> {
    const passed = this.#last.then(() => this.#pass(block))
    this.#last = passed.catch(() => {})
    return passed
  }

  #pass(block: Buffer): Promise<Buffer> {
    const stream = this.#stream
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let size = 0
      // A destroyed stream reports that all is written before it reports its error.
      let tooLarge: Error | undefined
      const finish = (error?: Error | null) => {
        stream.off('data', take).off('error', finish).off('close', closed)
        if (tooLarge) reject(tooLarge)
        else if (error)
          reject(new SpdyError(`a header block cannot be decompressed: ${error.message}`, { cause: error }))
        else resolve(Buffer.concat(chunks))
      }
      const closed = () => finish(new SpdyError('the connection is closed'))
      const take = (chunk: Buffer) => {
        size += chunk.length
        if (size <= this.#limitBytes) {
          chunks.push(chunk)
          return
        }
        tooLarge = new SpdyError(`a header block has more than ${this.#limitBytes} bytes`)
        stream.destroy(tooLarge)
      }
      if (stream.destroyed) return closed()
      stream.on('data', take).once('error', finish).once('close', closed)
      // Called when the entire output of the block has been read.
      stream.write(block, error => finish(error))
    })
  }

  close(): void {
    this.#stream.destroy()
  }
}

/** Reads and writes header blocks. */
export class HeaderBlocks {
  readonly #inflate = new Squeeze(createInflate({ dictionary, flush: constants.Z_SYNC_FLUSH }), maxBlockBytes)
  readonly #deflate = new Squeeze(createDeflate({ dictionary, flush: constants.Z_SYNC_FLUSH }), maxBlockBytes * 2)

  async read(block: Buffer): Promise<SpdyHeaders> {
    const plain = await this.#inflate.pass(block)
    const headers: Record<string, string> = Object.create(null)
    let at = 0
    const number = () => {
      if (at + 4 > plain.length) throw new SpdyError('a header block is truncated')
      at += 4
      return plain.readUInt32BE(at - 4)
    }
    const text = () => {
      const length = number()
      if (at + length > plain.length) throw new SpdyError('a header block is truncated')
      at += length
      return plain.toString('utf8', at - length, at)
    }
    const count = number()
    if (count > maxHeaders) throw new SpdyError(`a header block has more than ${maxHeaders} headers`)
    for (let i = 0; i < count; i++) {
      const name = text().toLowerCase()
      // Several values are separated by NUL; only the first one counts here.
      headers[name] = text().split('\0', 1)[0] ?? ''
    }
    return headers
  }

  write(headers: SpdyHeaders): Promise<Buffer> {
    const entries = Object.entries(headers)
    const parts: Buffer[] = []
    const number = (value: number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      parts.push(bytes)
    }
    number(entries.length)
    for (const text of entries.flatMap(([name, value]) => [name.toLowerCase(), value])) {
      const bytes = Buffer.from(text)
      number(bytes.length)
      parts.push(bytes)
    }
    return this.#deflate.pass(Buffer.concat(parts))
  }

  close(): void {
    this.#inflate.close()
    this.#deflate.close()
  }
}
