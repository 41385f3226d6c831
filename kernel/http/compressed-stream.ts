import { constants, createGzip, type Gzip } from 'node:zlib'
import type { ResponseStream, SharedChunk } from '../contracts/exchange.js'
import type { AnswerStream, StreamHost } from './answer-stream.js'

/** Which responses a server compresses, and how many at a time. */
export interface Compression {
  /** Smaller responses are sent uncompressed; 0 turns compression off. */
  readonly fromBytes: number
  /** How many at a time, each with a quarter of a megabyte of memory; further ones are sent uncompressed. */
  readonly atOnce: number
  /** The current number. */
  count: number
}

/** The level with the best ratio of compression to time. */
const options = { level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 }

/** A response that is compressed while it is sent, by zlib's threads. */
export class CompressedStream implements ResponseStream {
  readonly #out: AnswerStream
  readonly #gzip: Gzip = createGzip(options)
  readonly #host: StreamHost
  readonly #release: () => void
  /** Bytes that wait to be compressed. */
  #waitingBytes = 0
  #isEnding = false

  constructor(out: AnswerStream, host: StreamHost, compression: Compression) {
    this.#out = out
    this.#host = host
    compression.count++
    let isReleased = false
    this.#release = () => {
      if (isReleased) return
      isReleased = true
      compression.count--
    }
    this.#gzip.on('data', (chunk: Buffer) => {
      if (out.write(chunk)) return
      this.#gzip.pause()
      out.drained().then(() => this.#gzip.resume())
    })
    this.#gzip.on('end', () => {
      this.#release()
      out.end()
    })
    this.#gzip.on('error', () => this.destroy())
    out.onClose(() => this.#drop())
  }

  get bufferedBytes(): number {
    return this.#waitingBytes + this.#out.bufferedBytes
  }
  get isClosed(): boolean {
    return this.#isEnding || this.#out.isClosed
  }

  write(chunk: Buffer, written?: () => void): boolean {
    if (this.isClosed) return true
    this.#wait(chunk.length)
    return this.#gzip.write(chunk, failure => {
      this.#wait(-chunk.length)
      if (!failure) written?.()
    })
  }
  writeShared({ bytes }: SharedChunk): void {
    this.write(bytes)
  }

  drained(): Promise<void> {
    const gzip = this.#gzip
    if (gzip.destroyed || !gzip.writableNeedDrain) return Promise.resolve()
    return new Promise(resolve => {
      const settle = () => {
        gzip.off('drain', settle)
        gzip.off('close', settle)
        resolve()
      }
      gzip.once('drain', settle)
      gzip.once('close', settle)
    })
  }

  end(): void {
    this.#isEnding = true
    this.#gzip.end()
  }
  destroy(): void {
    this.#drop()
    this.#out.destroy()
  }
  onClose(listener: () => void): void {
    this.#out.onClose(listener)
  }

  #wait(bytes: number): void {
    if (this.#gzip.destroyed) return
    this.#waitingBytes += bytes
    this.#host.queuedBytes += bytes
  }
  #drop(): void {
    this.#wait(-this.#waitingBytes)
    this.#release()
    this.#gzip.destroy()
  }
}

/** Whether the client accepts gzip. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  if (header === undefined) return false
  return String(header)
    .split(',')
    .some(coding => {
      const [name = '', ...parameters] = coding.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return name === 'gzip' && (weight === undefined || Number(weight.slice(2)) > 0)
    })
}
