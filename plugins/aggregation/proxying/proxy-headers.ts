import type { IncomingMessage } from 'node:http'
import type { DelegatedRequest, UserInfo } from 'orch/sdk'

/** Headers that are about one connection, and mean nothing on the next. */
const ofConnection = new Set([
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
/** Who a request acts as. Only this server may say so: whatever a client sends under these names is dropped. */
const identityPrefix = 'x-remote-'

type Headers = Record<string, string | string[]>

/** Headers for the extension server: those of the client, and the user's identity. */
export function headersFor({ headers, user, asksForUpgrade }: DelegatedRequest, host: string): Headers {
  const dropped = namedByConnection(headers.connection)
  const sent: Headers = {}
  for (const [name, value] of Object.entries(headers)) {
    const isOurs = name === 'host' || name.startsWith(identityPrefix) || ofConnection.has(name) || dropped.has(name)
    if (value !== undefined && !isOurs) sent[name] = value
  }
  if (asksForUpgrade) Object.assign(sent, { connection: 'Upgrade', upgrade: headers.upgrade })
  return { ...sent, host, ...identityOf(user) }
}

/** Who acts, as extension servers read it. Names of extra information may have any characters, those of headers may not. */
export function identityOf({ name, groups, extra = {} }: UserInfo): Headers {
  const identity: Headers = { 'X-Remote-User': asBytes(name) }
  if (groups.length > 0) identity['X-Remote-Group'] = groups.map(asBytes)
  for (const [key, values] of Object.entries(extra))
    if (values.length > 0) identity[`X-Remote-Extra-${escapeName(key)}`] = values.map(asBytes)
  return identity
}

/** Headers for the client: those of the extension server. */
export function headersOf({ headersDistinct, headers }: IncomingMessage, isUpgrade: boolean): Headers {
  const dropped = namedByConnection(headers.connection)
  const told: Headers = {}
  for (const [name, values = []] of Object.entries(headersDistinct))
    if (!ofConnection.has(name) && !dropped.has(name)) told[name] = values.length === 1 ? values[0]! : values
  if (isUpgrade) Object.assign(told, { Connection: 'Upgrade', Upgrade: headers.upgrade ?? '' })
  return told
}

const namedByConnection = (connection = ''): ReadonlySet<string> =>
  new Set(connection.split(',').map(name => name.trim().toLowerCase()))

/** Node writes headers as Latin-1; what people are called is UTF-8. */
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
