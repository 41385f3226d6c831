import type { Duplex } from 'node:stream'
import { writeJson } from '../../libs/json/index.js'

/** A frame: its length in four bytes, then a JSON list of messages. Only this file knows the layout. */
const headBytes = 4
/** Characters after which what has gathered is sent, in whichever turn. */
const maxBatchLength = 1024 * 1024

/** The other end sent something that is not a frame. */
export class FrameError extends Error {}

/**
 * Messages over a stream between two processes. Everything sent in one turn of the event loop goes into one frame, so
 * that concurrent requests share the cost of a system call. Incoming frames are limited in size, because the other end
 * may be hostile.
 */
export class Frames {
  readonly #stream: Duplex
  #unsent: string[] = []
  #gathered = 0
  #written = 0
  #parts: Buffer[] = []
  #held = 0

  constructor(stream: Duplex, maxBytes: number, receive: (message: unknown) => void, fail: (why: FrameError) => void) {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => {
      try {
        for (const frame of this.#take(chunk, maxBytes)) for (const message of messagesIn(frame)) receive(message)
      } catch (thrown) {
        fail(thrown instanceof FrameError ? thrown : new FrameError(String(thrown)))
      }
    })
    // The owner of the process is notified of its exit; errors of the stream add nothing.
    stream.on('error', () => {})
  }

  /** Bytes that the other end has not read yet. */
  get unsentBytes(): number {
    return this.#gathered + this.#stream.writableLength
  }
  /** All bytes that it has taken. */
  get takenBytes(): number {
    return this.#written - this.#stream.writableLength
  }

  /** Returns the length of the message. */
  send(message: unknown): number {
    if (this.#unsent.length === 0) setImmediate(() => this.#flush())
    const text = writeJson(message)
    this.#gathered += text.length
    this.#unsent.push(text)
    // Many objects in one turn, as those of a collection, must not add up to more than the other end accepts.
    if (this.#gathered >= maxBatchLength) this.#write()
    return text.length
  }

  /** Resolves when at most this much is unsent, or when the signal aborts. */
  async room(maxBytes: number, signal: AbortSignal): Promise<void> {
    while (this.unsentBytes > maxBytes && !signal.aborted && !this.#stream.destroyed) {
      let wake = () => {}
      // What has gathered is written in this turn, and drains afterwards.
      await new Promise<void>(resolve => {
        wake = resolve
        this.#stream.once('drain', wake).once('close', wake)
        signal.addEventListener('abort', wake, { once: true })
      })
      this.#stream.off('drain', wake).off('close', wake)
      signal.removeEventListener('abort', wake)
    }
  }

  /** Sends the buffered messages. */
  #flush(): void {
    if (this.#unsent.length > 0) this.#write()
  }
  #write(): void {
    const body = Buffer.from(`[${this.#unsent.join(',')}]`)
    this.#unsent = []
    this.#gathered = 0
    if (this.#stream.destroyed || !this.#stream.writable) return
    const head = Buffer.allocUnsafe(headBytes)
    head.writeUInt32BE(body.length)
    this.#written += headBytes + body.length
    this.#stream.cork()
    this.#stream.write(head)
    this.#stream.write(body)
    this.#stream.uncork()
  }

  /** The frames that these bytes complete. */
  #take(chunk: Buffer, maxBytes: number): Buffer[] {
    this.#parts.push(chunk)
    this.#held += chunk.length
    const frames: Buffer[] = []
    while (this.#held >= headBytes) {
      const size = this.#head().readUInt32BE(0)
      if (size > maxBytes) throw new FrameError(`a message of ${size} bytes, and at most ${maxBytes} are allowed`)
      if (this.#held < headBytes + size) break
      const all = this.#parts.length === 1 && this.#parts[0] ? this.#parts[0] : Buffer.concat(this.#parts)
      frames.push(all.subarray(headBytes, headBytes + size))
      const rest = all.subarray(headBytes + size)
      this.#parts = rest.length === 0 ? [] : [rest]
      this.#held = rest.length
    }
    return frames
  }
  #head(): Buffer {
    const [first] = this.#parts
    return first && first.length >= headBytes ? first : Buffer.concat(this.#parts)
  }
}

function messagesIn(frame: Buffer): readonly unknown[] {
  let messages: unknown
  try {
    messages = JSON.parse(frame.toString('utf8'))
  } catch {
    throw new FrameError('a message that is not JSON')
  }
  if (!Array.isArray(messages)) throw new FrameError('a message that is not a list')
  return messages
}
