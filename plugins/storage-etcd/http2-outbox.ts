import { messageHeader } from './grpc-answer.js'
import { encodeHeaders } from './hpack.js'
import {
  flags,
  frame,
  frameHeader,
  frameTypes,
  initialWindow,
  smallestMaxFrame,
  writeFrameHeader,
} from './http2-frames.js'

export interface OutgoingCall {
  readonly path: string
  readonly message: Buffer
  readonly headers: Readonly<Record<string, string>> | undefined
}
interface Sending {
  /** The flow-control window of the stream. */
  window: number
  /** Data beyond the window. */
  unsent: Buffer | undefined
}

/** Outgoing frames of a connection, in order and within the flow-control windows of the peer. */
export class Outbox {
  readonly #common: readonly (readonly [string, string])[]
  readonly #blocks = new Map<string, Buffer>()
  readonly #streams = new Map<number, Sending>()
  readonly #stalled = new Set<number>()
  #out: Buffer[] = []
  #window = initialWindow
  #streamWindow = initialWindow
  #frameSize = smallestMaxFrame

  /** `common` are the headers of every request. */
  constructor(common: readonly (readonly [string, string])[]) {
    this.#common = common
  }

  /** Takes everything that can be sent now. */
  take(): Buffer | undefined {
    const out = this.#out
    if (out.length === 0) return undefined
    this.#out = []
    return out.length === 1 ? out[0] : Buffer.concat(out)
  }
  push(...frames: readonly Buffer[]): void {
    for (const each of frames) this.#out.push(each)
  }

  begin(id: number, { path, message, headers }: OutgoingCall): void {
    const sending: Sending = { window: this.#streamWindow, unsent: undefined }
    this.#streams.set(id, sending)
    const block = this.#blockFor(path, headers)
    const length = messageHeader + message.length
    const bytes = Buffer.allocUnsafe(2 * frameHeader + block.length + length)
    const begin = { length: block.length, type: frameTypes.headers, flags: flags.endHeaders, stream: id }
    const end = writeFrameHeader(bytes, 0, begin) + block.copy(bytes, frameHeader)
    const data = { length, type: frameTypes.data, flags: flags.endStream, stream: id }
    const body = writeFrameHeader(bytes, end, data)
    bytes[body] = 0
    bytes.writeUInt32BE(message.length, body + 1)
    message.copy(bytes, body + messageHeader)
    if (length <= Math.min(this.#window, sending.window, this.#frameSize)) {
      this.#window -= length
      sending.window -= length
      this.#out.push(bytes)
      return
    }
    this.#out.push(bytes.subarray(0, end))
    sending.unsent = bytes.subarray(body)
    this.#stalled.add(id)
    this.sendMore()
  }
  /** Drops the state of a finished stream. */
  forget(id: number): void {
    this.#streams.delete(id)
    this.#stalled.delete(id)
  }

  setFrameSize(bytes: number): void {
    this.#frameSize = bytes
  }
  /** Sets the initial window of streams and adjusts that of open streams by the difference. */
  setStreamWindow(bytes: number): void {
    for (const each of this.#streams.values()) each.window += bytes - this.#streamWindow
    this.#streamWindow = bytes
  }
  /** Enlarges the window of a stream, or of the connection if `id` is 0. */
  addRoom(id: number, bytes: number): void {
    const sending = this.#streams.get(id)
    if (id === 0) this.#window += bytes
    else if (sending) sending.window += bytes
    this.sendMore()
  }

  sendMore(): void {
    for (const id of this.#stalled) {
      const sending = this.#streams.get(id)!
      while (sending.unsent !== undefined) {
        const length = Math.min(sending.unsent.length, sending.window, this.#window, this.#frameSize)
        if (length <= 0) break
        const isLast = length === sending.unsent.length
        const part = sending.unsent.subarray(0, length)
        this.#out.push(frame(frameTypes.data, isLast ? flags.endStream : 0, id, part))
        sending.window -= length
        this.#window -= length
        sending.unsent = isLast ? undefined : sending.unsent.subarray(length)
      }
      if (sending.unsent === undefined) this.#stalled.delete(id)
    }
  }

  #blockFor(path: string, headers: OutgoingCall['headers']): Buffer {
    let block = this.#blocks.get(path)
    if (block === undefined) {
      block = encodeHeaders([[':path', path], ...this.#common])
      this.#blocks.set(path, block)
    }
    return headers === undefined ? block : Buffer.concat([block, encodeHeaders(Object.entries(headers))])
  }
}
