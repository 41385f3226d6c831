import { IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { preventParserPause } from 'orch/sdk/host'

/** A pending request to upgrade a connection. */
export interface Upgrade {
  /** Answers 101 and hands over the connection. */
  accept(response: ServerResponse, headers: Record<string, string | string[]>): Duplex
}
/** Kept beside Node's request. */
const upgrades = new WeakMap<IncomingMessage, Upgrade>()
export const upgradeOf = (request: IncomingMessage): Upgrade | undefined => upgrades.get(request)

const asked = Symbol('asked for an upgrade')

/**
 * Decides which requests are upgraded: Node reads this property of each request as soon as its head is parsed. All
 * others are served as if they had not asked, which HTTP allows.
 */
export function upgradableRequest(mayUpgrade: (request: IncomingMessage) => boolean): typeof IncomingMessage {
  class UpgradableRequest extends IncomingMessage {
    [asked]?: boolean
  }
  Object.defineProperty(UpgradableRequest.prototype, 'upgrade', {
    configurable: true,
    get(this: UpgradableRequest) {
      return this[asked] === true
    },
    set(this: UpgradableRequest, wants: boolean | null) {
      // Set twice: by the parser before it knows the headers, and once all is known.
      this[asked] =
        wants === true && (this.method === null || this.method === 'CONNECT' || isBodiless(this, mayUpgrade))
    },
  })
  return UpgradableRequest
}

/** Bytes after the head belong to the other protocol, so there can be no body. */
const isBodiless = (request: IncomingMessage, mayUpgrade: (request: IncomingMessage) => boolean): boolean =>
  request.headers['transfer-encoding'] === undefined &&
  Number(request.headers['content-length'] ?? 0) === 0 &&
  mayUpgrade(request)

/** The connections that were switched to another protocol. */
export interface UpgradedSockets {
  /** They would not end by themselves. */
  endAll(): void
}

/** Serves upgrade requests like any other request; they can be refused like any other. */
export function serveUpgrades(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): UpgradedSockets {
  const sockets = new Set<Socket>()
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    try {
      response.assignSocket(socket)
    } catch {
      // An earlier request on this connection has no response yet, and cannot get one after the upgrade.
      socket.destroy()
      return
    }
    const over = () => {
      response.destroyed = true
      response.emit('close')
    }
    response.once('finish', () => {
      response.detachSocket(socket)
      socket.end()
      over()
    })
    upgrades.set(request, {
      accept(answer, headers) {
        upgrades.delete(request)
        answer.writeHead(101, headers)
        answer.flushHeaders()
        answer.detachSocket(socket)
        // The HTTP parser is gone: writers follow the backpressure of the socket.
        preventParserPause(socket, socket.readableHighWaterMark)
        sockets.add(socket)
        socket.once('close', () => {
          sockets.delete(socket)
          over()
        })
        if (head.length > 0) socket.unshift(head)
        return socket
      },
    })
    handle(request, response)
  })
  return {
    endAll() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
