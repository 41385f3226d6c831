import { type Duplex, Readable, Writable } from 'node:stream'
import { WebSocket } from 'ws'
import type { StreamLimits } from './limits.js'

/** Longer writes become several messages, so that channels take turns. */
const maxSentBytes = 32 * 1024
/** A message on this channel closes the one that it names. */
const closeChannel = 255
const digitZero = 0x30
const normalClosure = 1000
/** How long the other side may take to close as well. */
const closeMs = 2_000

export interface ChannelForm {
  /** Messages are text: a digit and base64. */
  readonly isBase64: boolean
  /** Whether the other side may close a channel. */
  readonly canClose: boolean
}

/** The server side of a WebSocket over a connection that has already been upgraded. */
export function webSocketOver(connection: Duplex, { messageBytes }: StreamLimits): WebSocket {
  const socket = new WebSocket(null, undefined, {})
  // The connection ends with it; nothing else has to be notified.
  socket.on('error', () => socket.terminate())
  socket.setSocket(connection, Buffer.alloc(0), {
    allowSynchronousEvents: true,
    maxPayload: messageBytes,
    skipUTF8Validation: false,
  })
  return socket
}

/** Streams over one WebSocket: the first byte of each message is the number of its stream. */
export class Channels {
  /** Settled when the connection has ended. */
  readonly over: Promise<void>
  readonly #socket: WebSocket
  readonly #form: ChannelForm
  readonly #inputs = new Map<number, Readable>()
  /** Channels whose reader is behind: nothing more is read until it has caught up. */
  readonly #behind = new Set<number>()

  constructor(socket: WebSocket, form: ChannelForm) {
    this.#socket = socket
    this.#form = form
    socket.on('message', data => this.#receive(data))
    this.over = new Promise(resolve =>
      socket.on('close', () => {
        for (const channel of [...this.#inputs.keys()]) this.#end(channel)
        resolve()
      }),
    )
  }

  /** The data received on a channel; discarded if nothing reads it. */
  input(channel: number): Readable {
    const input = new Readable({
      read: () => {
        if (this.#behind.delete(channel) && this.#behind.size === 0) this.#socket.resume()
      },
      destroy: (error, done) => {
        this.#inputs.delete(channel)
        if (this.#behind.delete(channel) && this.#behind.size === 0) this.#socket.resume()
        done(error)
      },
    })
    input.on('error', () => {})
    this.#inputs.set(channel, input)
    return input
  }

  output(channel: number): Writable {
    const output = new Writable({
      write: (chunk: Buffer, _, done) => this.#send(channel, chunk, done),
    })
    output.on('error', () => {})
    return output
  }

  #receive(data: Buffer): void {
    if (data.length === 0) return
    const { isBase64, canClose } = this.#form
    const first = data[0] ?? 0
    const channel = isBase64 ? first - digitZero : first
    if (canClose && channel === closeChannel) {
      this.#end(data[1] ?? closeChannel)
      return
    }
    const input = this.#inputs.get(channel)
    const bytes = isBase64 ? Buffer.from(data.toString('latin1', 1), 'base64') : data.subarray(1)
    if (!input || input.readableEnded || bytes.length === 0) return
    if (input.push(bytes)) return
    this.#behind.add(channel)
    this.#socket.pause()
  }

  #end(channel: number): void {
    const input = this.#inputs.get(channel)
    this.#inputs.delete(channel)
    input?.push(null)
  }

  /** An empty write still sends a message, which signals that the connection is established. */
  #send(channel: number, data: Buffer, done: (error?: Error | null) => void): void {
    let at = 0
    do {
      const piece = data.subarray(at, at + maxSentBytes)
      at += piece.length
      const told = at >= data.length ? (error?: Error) => done(error ?? null) : undefined
      if (this.#form.isBase64) this.#socket.send(`${channel}${piece.toString('base64')}`, told)
      else this.#socket.send(Buffer.concat([Buffer.from([channel]), piece]), told)
    } while (at < data.length)
  }
  /** Sends an empty message, which signals that the connection is established. */
  greet(channel: number): void {
    this.#send(channel, Buffer.alloc(0), () => {})
  }

  async close(): Promise<void> {
    // Otherwise a slow reader would delay the close frame of the other side.
    for (const input of [...this.#inputs.values()]) input.destroy()
    this.#socket.close(normalClosure)
    const timer = setTimeout(() => this.#socket.terminate(), closeMs)
    await this.over
    clearTimeout(timer)
  }
}
