/** The parts of the package that are used: it has no types, and those of DefinitelyTyped have more dependencies than it. */
declare module 'ws' {
  import { EventEmitter } from 'node:events'
  import type { ClientRequest, IncomingMessage } from 'node:http'

  export interface ClientOptions {
    readonly headers?: Readonly<Record<string, string | string[]>>
    readonly ca?: string
    readonly cert?: string
    readonly key?: string
    readonly servername?: string
    readonly rejectUnauthorized?: boolean
    readonly perMessageDeflate?: boolean
    readonly maxPayload?: number
  }
  export class WebSocket extends EventEmitter {
    constructor(url: string, protocols: readonly string[], options?: ClientOptions)
    /** The server's side: it gets its connection by `setSocket`. */
    constructor(url: null, protocols: undefined, options: Record<never, never>)
    setSocket(
      socket: import('node:stream').Duplex,
      head: Buffer,
      options: {
        readonly allowSynchronousEvents: boolean
        readonly maxPayload: number
        readonly skipUTF8Validation: boolean
      },
    ): void
    readonly readyState: number
    pause(): void
    resume(): void
    readonly protocol: string
    readonly bufferedAmount: number
    send(data: Buffer | string, done?: (error?: Error) => void): void
    close(code?: number): void
    terminate(): void
    on(event: 'open', listener: () => void): this
    on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): this
    on(event: 'close', listener: (code: number, reason: Buffer) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'unexpected-response', listener: (request: ClientRequest, response: IncomingMessage) => void): this
  }
  /** A connection whose messages are one stream of bytes. */
  export function createWebSocketStream(
    socket: WebSocket,
    options?: { readonly allowHalfOpen?: boolean },
  ): import('node:stream').Duplex
  export class WebSocketServer extends EventEmitter {
    constructor(options: {
      readonly noServer?: boolean
      readonly handleProtocols?: (protocols: Set<string>) => string | false
    })
    handleUpgrade(
      request: IncomingMessage,
      socket: import('node:stream').Duplex,
      head: Buffer,
      done: (socket: WebSocket) => void,
    ): void
    close(): void
  }
}
