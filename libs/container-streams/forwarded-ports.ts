import { Duplex, type Writable } from 'node:stream'
import { createWebSocketStream } from 'ws'
import { SpdyError, SpdySession, type SpdyStream } from '../spdy/index.js'
import { Channels, webSocketOver } from './channels.js'
import type { StreamLimits } from './limits.js'
import type { Agreement, SpokenProtocols } from './negotiate.js'
import { closed, limitIdleTime } from './process-streams.js'

/** Serves a connection to a port until it ends. If it rejects, the client receives the error. */
export type ForwardPort = (port: number, connection: Duplex, signal: AbortSignal) => Promise<void>

type ServeData = (port: number, connection: Duplex) => Promise<void>

const tunnelPrefix = 'SPDY/3.1+'
const maxPort = 65_535
/** A channel number is one byte, and each port has two channels. */
export const maxChannelPorts = 127

/** The protocol names for port forwarding in a domain. */
export const portProtocols = (domain: string, { tunnels }: { readonly tunnels: boolean }): SpokenProtocols => ({
  websocket: [
    ...(tunnels ? [`${tunnelPrefix}portforward.${domain}`] : []),
    `v4.channel.${domain}`,
    `v4.base64.channel.${domain}`,
  ],
  spdy: [`portforward.${domain}`],
})

/** Whether the request must name its ports. Over SPDY, each stream names its own port. */
export const namesPorts = ({ transport, protocol }: Agreement): boolean =>
  transport === 'websocket' && !protocol.startsWith(tunnelPrefix)

/** Forwards ports until the client disconnects, or all connections over channels have ended. */
export async function servePorts(
  connection: Duplex,
  agreement: Agreement,
  ports: readonly number[],
  forward: ForwardPort,
  limits: StreamLimits,
): Promise<void> {
  const gone = new AbortController()
  connection.once('close', () => gone.abort())
  const serve: ServeData = (port, data) => forward(port, data, gone.signal)
  if (namesPorts(agreement)) await overChannels(connection, agreement, ports, serve, limits)
  else if (agreement.transport === 'spdy') {
    limitIdleTime(connection, limits)
    await overSpdy(connection, serve, limits)
  } else {
    const tunnel = createWebSocketStream(webSocketOver(connection, limits), { allowHalfOpen: false })
    limitIdleTime(connection, limits)
    await overSpdy(tunnel, serve, limits)
    await new Promise<void>(resolve => {
      if (connection.destroyed) return resolve()
      connection.once('close', resolve)
      tunnel.destroy()
    })
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function overChannels(
  connection: Duplex,
  { protocol }: Agreement,
  ports: readonly number[],
  serve: ServeData,
  limits: StreamLimits,
): Promise<void> {
  const channels = new Channels(webSocketOver(connection, limits), {
    isBase64: protocol.includes('base64.'),
    canClose: false,
  })
  limitIdleTime(connection, limits)
  const served = ports.map(async (port, i) => {
    const [data, failure] = [2 * i, 2 * i + 1].map(channel => channels.output(channel)) as [Writable, Writable]
    // Both channels start with their port number.
    for (const output of [data, failure]) output.write(Buffer.from([port & 0xff, port >> 8]))
    const both = Duplex.from({ readable: channels.input(2 * i), writable: data })
    both.on('error', () => {})
    await serve(port, both).catch(error => failure.write(textOf(error)))
    await new Promise<void>(resolve => failure.end(() => resolve()))
    both.destroy()
  })
  await Promise.race([Promise.all(served), channels.over])
  await channels.close()
}

interface Pair {
  data?: SpdyStream
  error?: SpdyStream
  timer: NodeJS.Timeout
}

async function overSpdy(connection: Duplex, serve: ServeData, limits: StreamLimits): Promise<void> {
  const pairs = new Map<string, Pair>()
  const session = new SpdySession(connection, stream => pairUp(stream, pairs, serve, limits), limits)
  const over = session.over.catch(() => {})
  await over
  for (const { timer } of pairs.values()) clearTimeout(timer)
  await closed(connection, over)
}

/** Each connection has a data stream and an error stream, distinguished by their type and matched by the request id. */
function pairUp(stream: SpdyStream, pairs: Map<string, Pair>, serve: ServeData, limits: StreamLimits): void {
  const type = stream.headers['streamtype'] ?? ''
  const port = Number(stream.headers['port'])
  if (!Number.isInteger(port) || port < 1 || port > maxPort) throw new SpdyError('a stream must name a port')
  if (type !== 'data' && type !== 'error') throw new SpdyError(`there are no streams of type "${type}"`)
  // Clients without request ids open both streams in sequence, the error stream first.
  const id = stream.headers['requestid'] ?? `#${type === 'error' ? stream.id : stream.id - 2}`
  let pair = pairs.get(id)
  if (!pair) {
    const timer = setTimeout(() => {
      pairs.delete(id)
      stream.destroy()
    }, limits.openMs)
    timer.unref()
    pairs.set(id, (pair = { timer }))
  }
  if (pair[type]) throw new SpdyError(`request "${id}" has a stream of type "${type}" already`)
  pair[type] = stream
  if (!pair.data || !pair.error) return
  clearTimeout(pair.timer)
  pairs.delete(id)
  void connect(port, pair.data, pair.error, serve)
}

async function connect(port: number, data: SpdyStream, failure: SpdyStream, serve: ServeData): Promise<void> {
  failure.resume()
  try {
    await serve(port, data)
    data.end()
    // Further data from the client is discarded; the stream closes once the client has ended it as well.
    data.resume()
    failure.end()
  } catch (error) {
    if (!failure.destroyed) failure.end(textOf(error), () => data.destroy())
  }
}
