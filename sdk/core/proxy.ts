import { badRequest, serviceUnavailable } from '../resource/api-errors.js'
import { field, Struct, Text } from '../resource/schema.js'
import type { ConnectSubresource } from '../resource/subresources.js'

/** What a path to a proxy names: `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`. */
export interface ProxyTarget {
  readonly scheme: string
  readonly name: string
  readonly port: string
}

/** Splits such a name; anything else is a 400 that names the kind of the target. */
export function splitProxyName(kind: string, id: string): ProxyTarget {
  const parts = id.split(':')
  const [scheme, name, port] =
    parts.length === 3 ? (parts as [string, string, string]) : ['', parts[0] ?? '', parts[1] ?? '']
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme))
    throw badRequest(`invalid ${kind} request ${JSON.stringify(id)}`)
  return { scheme, name, port }
}

/** What all proxies have in common: options, methods and names. */
export const proxyTo = (kind: string) =>
  ({
    kind: 'connect',
    objectKind: `${kind}ProxyOptions`,
    schema: Struct(
      `core.v1.${kind}ProxyOptions`,
      { path: field(1, Text(), 'The requested path.') },
      { description: `Options of a request that is passed on to a ${kind}.` },
    ),
    verbs: ['create', 'delete', 'get', 'patch', 'update'],
    pathOption: 'path',
    targetName: (id: string) => splitProxyName(kind.toLowerCase(), id).name,
  }) satisfies Omit<ConnectSubresource, 'connect'>

/** A 503, because this server has no network connection to nodes and Pods. */
export const unreachableService = (what: string) =>
  serviceUnavailable(`error trying to reach service: ${what} cannot be reached: this server has no connection to nodes`)
