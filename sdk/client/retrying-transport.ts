import type { Clock } from '../plugin/basic-services.js'
import type { Transport, TransportResponse } from './client.js'
import { ConnectionError } from './error-answers.js'
import { Backoff, sleep } from './waiting.js'

/** How often a request is repeated. */
export interface RetryLimits {
  /** After 503, and 429 with a time to come back: they say that nothing was done. */
  readonly busy: number
  /** After a lost connection, for verbs that may be repeated. */
  readonly lost: number
}
/** Enough to outlast a restart, not enough to seem hung. */
export const usualRetries: RetryLimits = { busy: 8, lost: 3 }

/** Repeating these leaves the same state, so a request that may have been carried out may be sent again. */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])
const firstDelayMs = 100
const maxDelayMs = 5_000
/** A server that asks for more patience than this is answered with an error instead. */
const maxRetryAfterSeconds = 60

/** Repeats requests where that is safe, with the delay the server asks for or a growing one. */
export function retryingTransport(transport: Transport, clock: Clock, limits: RetryLimits): Transport {
  return async request => {
    const backoff = new Backoff(firstDelayMs, maxDelayMs)
    let busy = 0
    let lost = 0
    for (;;) {
      let delayMs: number
      try {
        const response = await transport(request)
        if ((response.status !== 429 && response.status !== 503) || busy++ >= limits.busy) return response
        const seconds = retryAfterSeconds(response, clock.now())
        if (seconds !== undefined && seconds > maxRetryAfterSeconds) return response
        // Too much, without a time to come back: an eviction that a budget forbids is not a server that is busy.
        if (seconds === undefined && response.status === 429) return response
        delayMs = seconds === undefined ? backoff.next() : seconds * 1000
        await discard(response)
      } catch (error) {
        const again = error instanceof ConnectionError && repeatable.has(request.method) && lost++ < limits.lost
        if (!again) throw error
        delayMs = backoff.next()
      }
      await sleep(clock, delayMs, request.signal)
      request.signal?.throwIfAborted()
    }
  }
}

/** Ends an answer nobody reads, so that its connection can be used again. */
async function discard(response: TransportResponse): Promise<void> {
  try {
    for await (const _ of response.body);
  } catch {
    // The answer is not wanted; a connection that breaks meanwhile is replaced by the next attempt.
  }
}

/** What a Retry-After header asks for: seconds, or a date. */
export function retryAfterSeconds({ headers }: Pick<TransportResponse, 'headers'>, now: number): number | undefined {
  const value = [headers['retry-after']].flat()[0]
  if (value === undefined || value === '') return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
