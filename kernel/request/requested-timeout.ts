import { badRequest, isDuration, parseDuration } from 'orch/sdk'
import type { RequestInfo } from '../contracts/request-info.js'

/** How long the client will wait for its response; undefined when it sets no limit. Watches have a time-out of their own. */
export function requestedTimeoutMs({ query, verb }: RequestInfo): number | undefined {
  const text = query.size === 0 || verb === 'watch' ? undefined : query.get('timeout')
  if (!text) return undefined
  if (!isDuration(text)) throw badRequest(`invalid timeout specified in the request URL: ${JSON.stringify(text)}`)
  const ms = parseDuration(text)
  return ms > 0 ? ms : undefined
}
