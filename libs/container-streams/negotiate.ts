import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A request to upgrade its connection. */
export interface AskedUpgrade {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** The result of the negotiation. */
export interface Agreement {
  readonly transport: 'websocket' | 'spdy'
  /** The subprotocol; empty if the client named none. */
  readonly protocol: string
  /** The headers of the 101 response. */
  readonly headers: Readonly<Record<string, string>>
}

/** The names of the supported protocols by transport. */
export interface SpokenProtocols {
  readonly websocket: readonly string[]
  readonly spdy: readonly string[]
}

/** No protocol is supported by both sides; `code` is the HTTP status of the response. */
export class UpgradeRefused extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** From RFC 6455. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const keyPattern = /^[+/0-9A-Za-z]{22}==$/

/** Chooses the supported protocol that the client prefers. Throws `UpgradeRefused` if there is none. */
export function negotiate({ method, headers }: AskedUpgrade, spoken: SpokenProtocols): Agreement {
  const transport = headers.upgrade?.toLowerCase()
  if (transport === 'websocket') return webSocket(method, headers, spoken.websocket)
  if (transport === 'spdy/3.1') return spdy(headers, spoken.spdy)
  throw new UpgradeRefused(
    400,
    `unable to upgrade: the protocol must be websocket or SPDY/3.1, not "${headers.upgrade ?? ''}"`,
  )
}

const listOf = (value: string | string[] | undefined): string[] =>
  String(value ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')

function choose(asked: readonly string[], spoken: readonly string[]): string {
  if (asked.length === 0) return ''
  const chosen = asked.find(name => spoken.includes(name))
  if (chosen !== undefined) return chosen
  const texts = [asked, spoken].map(names => `[${names.join(' ')}]`)
  throw new UpgradeRefused(
    403,
    `unable to upgrade: unable to negotiate protocol: client supports ${texts[0]}, server accepts ${texts[1]}`,
  )
}

function webSocket(method: string, headers: IncomingHttpHeaders, spoken: readonly string[]): Agreement {
  if (method !== 'GET') throw new UpgradeRefused(400, 'unable to upgrade: a WebSocket must be opened with GET')
  const key = headers['sec-websocket-key'] ?? ''
  if (!keyPattern.test(key)) throw new UpgradeRefused(400, 'unable to upgrade: Sec-WebSocket-Key is missing or invalid')
  if (headers['sec-websocket-version'] !== '13')
    throw new UpgradeRefused(400, 'unable to upgrade: Sec-WebSocket-Version must be 13')
  const protocol = choose(listOf(headers['sec-websocket-protocol']), spoken)
  return {
    transport: 'websocket',
    protocol,
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Accept': createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64'),
      ...(protocol === '' ? {} : { 'Sec-WebSocket-Protocol': protocol }),
    },
  }
}

function spdy(headers: IncomingHttpHeaders, spoken: readonly string[]): Agreement {
  const protocol = choose(listOf(headers['x-stream-protocol-version']), spoken)
  return {
    transport: 'spdy',
    protocol,
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'SPDY/3.1',
      ...(protocol === '' ? {} : { 'X-Stream-Protocol-Version': protocol }),
    },
  }
}
