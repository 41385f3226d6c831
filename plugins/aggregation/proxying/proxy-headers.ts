import type { IncomingMessage } from 'node:http'
import type { UserInfo } from 'orch/sdk'
import type { DelegatedRequest } from 'orch/sdk/server'

/** Hop-by-hop headers: they concern one connection and are not forwarded. */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Headers with the user's identity. Only this server may set them: those that a client sends are dropped. */
const identityPrefix = 'x-remote-'

type Headers = Record<string, string | string[]>

/** Headers for the extension server: those of the client, and the user's identity. */
export function headersFor(
  { headers, user, asksForUpgrade }: DelegatedRequest,
  host: string,
  sendsUid: boolean,
): Headers {
  const dropped = namedByConnection(headers.connection)
  const sent: Headers = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !isOurs(asRead(name)) && !dropped.has(name)) sent[name] = value
  if (asksForUpgrade) Object.assign(sent, { connection: 'Upgrade', upgrade: headers.upgrade })
  return { ...sent, host, ...identityOf(user, sendsUid) }
}

const isOurs = (name: string): boolean => name === 'host' || name.startsWith(identityPrefix) || hopByHop.has(name)
/** Servers that pass headers on as variables (CGI, WSGI, Rack) confuse `x_remote_user` with `x-remote-user`. */
const asRead = (name: string): string => name.replaceAll('_', '-')

/** The headers that carry a user's identity. Extra keys may contain any character, so they are escaped in header names. */
export function identityOf({ name, uid = '', groups, extra = {} }: UserInfo, sendsUid: boolean): Headers {
  const identity: Headers = { 'X-Remote-User': asBytes(name) }
  if (sendsUid && uid !== '') identity['X-Remote-Uid'] = asBytes(uid)
  if (groups.length > 0) identity['X-Remote-Group'] = groups.map(asBytes)
  for (const [key, values] of Object.entries(extra))
    if (values.length > 0) identity[`X-Remote-Extra-${escapeName(key)}`] = values.map(asBytes)
  return identity
}

/** Headers for the client: those of the extension server. */
export function headersOf({ headersDistinct, headers }: IncomingMessage, isUpgrade: boolean): Headers {
  const dropped = namedByConnection(headers.connection)
  const forwarded: Headers = {}
  for (const [name, values = []] of Object.entries(headersDistinct))
    if (!hopByHop.has(name) && !dropped.has(name)) forwarded[name] = values.length === 1 ? values[0]! : values
  if (isUpgrade) Object.assign(forwarded, { Connection: 'Upgrade', Upgrade: headers.upgrade ?? '' })
  return forwarded
}

const namedByConnection = (connection = ''): ReadonlySet<string> =>
  new Set(connection.split(',').map(name => name.trim().toLowerCase()))

/** Node writes headers as Latin-1, but user names are UTF-8. */
const asBytes = (value: string): string => Buffer.from(value).toString('latin1')
const escapeName = (key: string): string =>
  [...Buffer.from(key)]
    .map(byte => {
      const character = String.fromCharCode(byte)
      return /[!#$&'*+.^_`|~0-9A-Za-z-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
