import type { IncomingHttpHeaders } from 'node:http'
import { type ApiDelegate, type ApiDelegation, badRequest, type DelegatedRequest } from 'orch/sdk'
import type { Headers } from '../contracts/exchange.js'
import type { RequestContext } from '../contracts/request-context.js'
import type { RequestInfo } from '../contracts/request-info.js'
import { sendBytes } from '../contracts/send-bytes.js'

/** Who answers a request instead of this server, if anybody does. Only versions of named groups have somebody else. */
export function delegateOf(delegation: ApiDelegation, info: RequestInfo): ApiDelegate | undefined {
  if (info.isResource) return info.group === '' ? undefined : delegation.delegateOf(info.group, info.version)
  if (!info.path.startsWith('/apis/')) return undefined
  const [, , group = '', version = ''] = info.path.split('/', 4)
  return version === '' ? undefined : delegation.delegateOf(group, version)
}

/** Hands a request to whoever answers it. */
export function handOver(delegate: ApiDelegate, context: RequestContext): Promise<void> {
  const { exchange, info, user } = context
  // What was judged is this path, step by step: nobody may be led to another one by it.
  if (info.path.split('/').some(step => step === '.' || step === '..'))
    throw badRequest("a path may not have steps '.' or '..'")
  const asksForUpgrade = exchange.canUpgrade === true
  const isLongRunning = info.verb === 'watch' || asksForUpgrade
  const request: DelegatedRequest = {
    method: exchange.method,
    url: exchange.url,
    headers: withoutProofs(exchange.headers),
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
      // It may go on for as long as both sides want.
      context.releaseSeat()
      return exchange.upgrade({ ...headers } as Headers)
    },
  }
  return delegate.answer(request)
}

/** Whoever is asked next has no business with credentials that were meant for this server. */
function withoutProofs(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== 'authorization' && !/^impersonate[-_]/.test(name)),
  )
}
