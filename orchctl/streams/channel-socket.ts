import { credentialHeaders, errorFromAnswer, fixedCredential, impersonationHeaders } from 'orch/sdk/client'
import type { WebSocket } from 'ws'
import type { Session } from '../session/session.js'
import { UsageError } from '../usage-error.js'

/** A WebSocket with several channels: the first byte of every message is the number of its channel. */
export class ChannelSocket {
  /** Resolves when the connection is closed; rejects if it fails. */
  readonly ended: Promise<void>
  readonly #socket: WebSocket
  constructor(socket: WebSocket, receive: (channel: number, data: Buffer) => void) {
    this.#socket = socket
    socket.on('message', data => {
      if (data.length > 0) receive(data[0] ?? 0, data.subarray(1))
    })
    this.ended = new Promise((resolve, reject) => {
      socket.on('close', () => resolve())
      socket.on('error', reject)
    })
  }
  /** Sends data and waits until it is written, so that input is not read faster than the network accepts it. */
  send(channel: number, data: Buffer): Promise<void> {
    return new Promise(resolve => this.#socket.send(Buffer.concat([Buffer.from([channel]), data]), () => resolve()))
  }
  close(): void {
    this.#socket.close()
    // A server that does not answer must not delay the exit.
    setTimeout(() => this.#socket.terminate(), 1_000).unref()
  }
}

/**
 * Opens a WebSocket to a path of the server, with the credentials of the session. `versions` are the protocol versions, the
 * preferred one first: `v4` becomes `v4.channel.` and the domain of the vendor.
 */
export async function openChannels(
  session: Session,
  path: string,
  versions: readonly string[],
  receive: (channel: number, data: Buffer) => void,
): Promise<ChannelSocket> {
  const { connection, userAgent } = session
  const { groupDomain } = (await session.vendor()).profile
  const protocols = versions.map(version => `${version}.channel.${groupDomain}`)
  if (connection.proxyUrl !== undefined)
    throw new UsageError('streams cannot use the proxy of the client config; connect to the server directly')
  const { WebSocket } = await import('ws')
  const { credentials = {} } = connection
  const source = 'current' in credentials ? credentials : fixedCredential(credentials)
  const credential = await source.current()
  const { clientCertificatePem: cert, clientKeyPem: key } = credential
  const url = `${connection.server.replace(/\/$/, '').replace(/^http/, 'ws')}${path}`
  const socket = new WebSocket(url, protocols, {
    headers: {
      'user-agent': userAgent,
      ...credentialHeaders(credential),
      ...impersonationHeaders(connection.impersonate),
    },
    ...(connection.caPem === undefined ? {} : { ca: connection.caPem }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(connection.serverName === undefined ? {} : { servername: connection.serverName }),
    rejectUnauthorized: connection.skipTlsVerify !== true,
    perMessageDeflate: false,
  })
  return new Promise((resolve, reject) => {
    // Listen before the socket is open: the first messages may arrive with the response.
    const channels = new ChannelSocket(socket, receive)
    channels.ended.catch(() => {})
    socket.on('open', () => resolve(channels))
    socket.on('error', reject)
    socket.on('unexpected-response', (request, response) => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk as Buffer))
      response.on('end', () => {
        reject(errorFromAnswer(response.statusCode ?? 500, Buffer.concat(chunks).toString('utf8')))
        request.destroy()
      })
    })
  })
}
