import { isDuration, parseDuration } from 'orch/sdk'
import { type ClosableTransport, ConnectionError, type TransportRequest } from 'orch/sdk/client'
import type { Flags } from '../arguments/flags.js'
import { UsageError } from '../usage-error.js'

/** The value of `--request-timeout`: a duration or a number of seconds; 0 means no timeout. */
export function requestLimitMs(flags: Flags): number {
  const text = flags.text('request-timeout') ?? '0'
  if (/^\d+$/.test(text)) return Number(text) * 1000
  if (!isDuration(text))
    throw new UsageError(`--request-timeout must be a duration such as 30s or 5m, or 0 for none, not "${text}"`)
  return parseDuration(text)
}

/** Aborts requests after the timeout. Watches and followed logs have none. */
export function limitedTransport(transport: ClosableTransport, limitMs: number): ClosableTransport {
  const limited = async (request: TransportRequest) => {
    if (/[?&](watch|follow)=(true|1)/.test(request.path)) return transport(request)
    const limit = AbortSignal.timeout(limitMs)
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit
    const explained = (error: unknown) =>
      limit.aborted && !request.signal?.aborted
        ? new ConnectionError(
            `${request.method} ${request.path} took longer than ${limitMs / 1000}s (--request-timeout)`,
          )
        : error
    try {
      const answer = await transport({ ...request, signal })
      return { ...answer, body: withErrors(answer.body, explained) }
    } catch (error) {
      throw explained(error)
    }
  }
  return Object.assign(limited, { close: () => transport.close() })
}

async function* withErrors(body: AsyncIterable<Buffer>, explained: (error: unknown) => unknown) {
  try {
    yield* body
  } catch (error) {
    throw explained(error)
  }
}
