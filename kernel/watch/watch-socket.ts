import { badRequest } from 'orch/sdk'
import { defaultLimits, negotiate, UpgradeRefused, webSocketOver } from '../../libs/container-streams/index.js'
import type { Exchange, ResponseStream, SharedChunk } from '../contracts/exchange.js'

/** Whether the client of a watch wants its events as WebSocket messages. */
export const wantsSocket = ({ canUpgrade, headers }: Exchange): boolean =>
  canUpgrade === true && headers.upgrade?.toLowerCase() === 'websocket'

/** Answers 101; the events of the watch become messages, one each. What the client sends is ignored. */
export function watchSocket(exchange: Exchange, isText: boolean): ResponseStream {
  const { headers, method } = exchange
  // Events are the same in every protocol; a client that names some gets the first.
  const asked = (headers['sec-websocket-protocol'] ?? '').split(',').map(name => name.trim())
  const agreed = agreement(() => negotiate({ method, headers }, { websocket: asked, spdy: [] }))
  if (!exchange.upgrade) throw new Error('the connection cannot be used for another protocol')
  return new WatchSocket(exchange.upgrade({ ...agreed.headers }), isText)
}

function agreement<T>(negotiated: () => T): T {
  try {
    return negotiated()
  } catch (error) {
    throw error instanceof UpgradeRefused ? badRequest(error.message) : error
  }
}

type Connection = Parameters<typeof webSocketOver>[0]

/** A watch that is written to a WebSocket. */
class WatchSocket implements ResponseStream {
  readonly #connection: Connection
  readonly #socket: ReturnType<typeof webSocketOver>
  readonly #isText: boolean
  /** The beginning of an event whose end has not been written yet. */
  #begun: Buffer = Buffer.alloc(0)

  constructor(connection: Connection, isText: boolean) {
    this.#connection = connection
    this.#isText = isText
    this.#socket = webSocketOver(connection, defaultLimits)
  }

  write(chunk: Buffer, written?: () => void): boolean {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk])
    let from = 0
    for (let end = this.#endOf(bytes, from); end !== undefined; end = this.#endOf(bytes, from)) {
      const event = bytes.subarray(this.#isText ? from : from + lengthBytes, end)
      // Copied: the chunk's memory may be reused before a slow client has read the event.
      this.#socket.send(this.#isText ? event.toString('utf8') : Buffer.from(event))
      from = end
    }
    this.#begun = Buffer.from(bytes.subarray(from))
    written?.()
    return !this.#connection.writableNeedDrain
  }
  /** Where the event that starts here ends; undefined if its end has not arrived yet. */
  #endOf(bytes: Buffer, from: number): number | undefined {
    if (this.#isText) {
      const newline = bytes.indexOf(0x0a, from)
      return newline < 0 ? undefined : newline + 1
    }
    if (bytes.length < from + lengthBytes) return undefined
    const end = from + lengthBytes + bytes.readUInt32BE(from)
    return end > bytes.length ? undefined : end
  }
  writeShared(chunk: SharedChunk): void {
    this.write(chunk.bytes)
  }
  async drained(): Promise<void> {
    if (!this.#connection.writableNeedDrain || this.isClosed) return
    await new Promise<void>(resolve => {
      this.#connection.once('drain', resolve)
      this.#connection.once('close', resolve)
    })
  }
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount
  }
  get isClosed(): boolean {
    return this.#connection.destroyed
  }
  end(): void {
    this.#socket.close(normalEnd)
  }
  destroy(): void {
    this.#socket.terminate()
  }
  onClose(listener: () => void): void {
    this.#socket.on('close', listener)
  }
}

/** Protobuf events start with their length, which messages do not need. */
const lengthBytes = 4
const normalEnd = 1000
