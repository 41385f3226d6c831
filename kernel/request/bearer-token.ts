import type { IncomingHttpHeaders } from 'node:http'

/** The token of `Bearer <token>`; undefined for other schemes, and for a token that is empty or preceded by two spaces. */
export function bearerTokenOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  const [scheme = '', token = ''] = authorization.trim().split(' ')
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined
}

/** A token sent as the name of a WebSocket protocol, or the error in it. */
export type ProtocolToken = { readonly token: string } | { readonly problem: string }

/** Where WebSocket clients say which protocols they speak. */
export const protocolHeader = 'sec-websocket-protocol'
const upgradeToken = /(?:^|,)\s*upgrade\s*(?:,|$)/i
const base64Url = /^[\w-]*$/

/**
 * Removes the token from the protocols that a WebSocket client requests, and returns it: browsers cannot set headers,
 * so they send their token as the protocol `base64url.bearer.authorization.<domain>.<token in base64url>`. It is
 * removed even if it is not used, because protocols are forwarded, echoed and logged, which tokens must never be.
 */
export function takeProtocolToken(headers: IncomingHttpHeaders, groupDomain: string): ProtocolToken | undefined {
  const asked = headers[protocolHeader]
  if (asked === undefined || !isWebSocket(headers)) return undefined
  const prefix = `base64url.bearer.authorization.${groupDomain}.`
  const names = asked.split(',').map(name => name.trim())
  const encoded = names.filter(name => name.startsWith(prefix)).map(name => name.slice(prefix.length))
  if (encoded.length === 0) return undefined
  const others = names.filter(name => !name.startsWith(prefix))
  if (others.length === 0) delete headers[protocolHeader]
  else headers[protocolHeader] = others.join(',')
  if (encoded.length > 1) return { problem: 'multiple base64.bearer.authorization tokens specified' }
  const [text = ''] = encoded
  // A base64 length of 4n + 1 is invalid: it leaves six bits.
  if (!base64Url.test(text) || text.length % 4 === 1)
    return { problem: 'invalid base64.bearer.authorization token encoding' }
  const bytes = Buffer.from(text, 'base64url')
  const token = bytes.toString('utf8')
  if (!Buffer.from(token, 'utf8').equals(bytes)) return { problem: 'invalid base64.bearer.authorization token' }
  if (token === '') return undefined
  // A WebSocket response names one of the requested protocols, and that must not be the token.
  return others.length === 0 ? { problem: 'missing additional subprotocol' } : { token }
}

const isWebSocket = ({ upgrade, connection }: IncomingHttpHeaders): boolean =>
  upgrade?.toLowerCase() === 'websocket' && upgradeToken.test(connection ?? '')
