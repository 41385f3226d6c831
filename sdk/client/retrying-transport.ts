import type { Clock } from '../plugin/basic-services.js'
import type { Transport, TransportResponse } from './client.js'
import { ConnectionError } from './error-answers.js'
import { Backoff, sleep } from './waiting.js'

/** How often a request is retried. */
export interface RetryLimits {
  /** After 503, and 429 with Retry-After: the server has done nothing. */
  readonly busy: number
  /** After a lost connection, for idempotent methods. */
  readonly lost: number
}
/** Enough to outlast a restart, not enough to seem hung. */
export const usualRetries: RetryLimits = { busy: 8, lost: 3 }

/** A request that may have been executed is sent again only with these methods. */
const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])
const firstDelayMs = 100
const maxDelayMs = 5_000
/** A longer Retry-After fails the request instead. */
const maxRetryAfterSeconds = 60

/** Retries requests where that is safe, after the delay that the server requests, or with backoff. */
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
        // A 429 without Retry-After is not a busy server, but for example an eviction that a budget forbids.
        if (seconds === undefined && response.status === 429) return response
        delayMs = seconds === undefined ? backoff.next() : seconds * 1000
        await discard(response)
      } catch (error) {
        const isRetried =
          error instanceof ConnectionError && idempotentMethods.has(request.method) && lost++ < limits.lost
        if (!isRetried) throw error
        delayMs = backoff.next()
      }
      await sleep(clock, delayMs, request.signal)
      request.signal?.throwIfAborted()
    }
  }
}

/** Reads an unused response to its end, so that its connection can be reused. */
async function discard(response: TransportResponse): Promise<void> {
  try {
    for await (const _ of response.body);
  } catch {
    // The next attempt opens another connection.
  }
}

/** The value of a Retry-After header, which is a number of seconds or a date. */
export function retryAfterSeconds({ headers }: Pick<TransportResponse, 'headers'>, now: number): number | undefined {
  const value = [headers['retry-after']].flat()[0]
  if (value === undefined || value === '') return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
