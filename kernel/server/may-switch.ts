import type { IncomingHttpHeaders } from 'node:http'
import type { ApiDelegation } from 'orch/sdk/server'
import { parseRequestInfo } from '../contracts/request-info.js'
import { delegateOf } from '../request/delegate-request.js'
import type { ResourceTypes } from '../types/resource-types.js'

/** A request whose head was read. */
export interface UpgradeRequest {
  readonly method?: string
  readonly url?: string
  readonly headers?: IncomingHttpHeaders
}

const isWebSocket = ({ upgrade }: IncomingHttpHeaders): boolean => upgrade?.toLowerCase() === 'websocket'

/** Requests to extension servers and to subresources that allow it may switch protocols, and watches may switch to a WebSocket. */
export function canSwitchProtocols(
  types: ResourceTypes,
  delegation: ApiDelegation | undefined,
  { method = '', url = '', headers = {} }: UpgradeRequest,
): boolean {
  const info = parseRequestInfo(method, url)
  if (info === undefined) return false
  if (delegation && delegateOf(delegation, info)) return true
  if (!info.isResource) return false
  return types.connectionAt(info)?.upgrades === true || (info.verb === 'watch' && isWebSocket(headers))
}
