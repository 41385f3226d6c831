import type { IncomingHttpHeaders } from 'node:http'
import { badRequest } from 'orch/sdk'
import type { ApiDelegate, ApiDelegation, DelegatedRequest } from 'orch/sdk/server'
import type { Headers } from '../contracts/exchange.js'
import type { RequestContext } from '../contracts/request-context.js'
import type { RequestInfo } from '../contracts/request-info.js'
import { sendBytes } from '../contracts/send-bytes.js'

/** The extension server that serves a request, if any. Only versions of named groups can have one. */
export function delegateOf(delegation: ApiDelegation, info: RequestInfo): ApiDelegate | undefined {
  if (info.isResource) return info.group === '' ? undefined : delegation.delegateOf(info.group, info.version)
  if (!info.path.startsWith('/apis/')) return undefined
  const [, , group = '', version = ''] = info.path.split('/', 4)
  return version === '' ? undefined : delegation.delegateOf(group, version)
}

/** Passes a request on to its extension server. */
export function forwardToDelegate(delegate: ApiDelegate, context: RequestContext): Promise<void> {
  const { exchange, info, user } = context
  // Authorization checked this path, segment by segment: it must not resolve to another one.
  if (info.path.split('/').some(segment => segment === '.' || segment === '..'))
    throw badRequest("a path may not have the segments '.' or '..'")
  const asksForUpgrade = exchange.canUpgrade === true
  const isLongRunning = info.verb === 'watch' || asksForUpgrade
  const request: DelegatedRequest = {
    method: exchange.method,
    url: exchange.url,
    headers: withoutCredentialHeaders(exchange.headers),
    user,
    isLongRunning,
    signal: context.signal,
    timeLeftMs: () => context.progress.timeLeftMs(),
    body: () => exchange.bodyStream(),
    asksForUpgrade,
    send: (status, text) =>
      exchange.send(
        status,
        { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
        `${text}\n`,
      ),
    stream: (status, headers, body) => sendBytes(exchange, status, { ...headers } as Headers, body),
    switchProtocols(headers) {
      if (!exchange.upgrade) throw new Error('the connection cannot be used for another protocol')
      // An upgraded connection lasts as long as both sides want.
      context.releaseSeat()
      return exchange.upgrade({ ...headers } as Headers)
    },
  }
  return delegate.answer(request)
}

/** Credentials for this server must not be forwarded. */
function withoutCredentialHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== 'authorization' && !/^impersonate[-_]/.test(name)),
  )
}
