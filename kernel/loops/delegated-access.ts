import { ApiError, serviceUnavailable, unauthorized } from 'orch/sdk'
import type { ClosableTransport } from 'orch/sdk/client'
import { bearerTokenOf } from '../request/bearer-token.js'

/** Throws a 401 or 403 if the client may not read a path. */
export type AccessCheck = (authorization: string | undefined, path: string) => Promise<void>

const responseTimeoutMs = 5_000
const reasons: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden' }

/**
 * A process without authentication of its own delegates to the server: a client that may read the path there may read it here.
 * `as` connects to the server with the token of the client.
 */
export const delegatedAccess =
  (as: (token: string) => ClosableTransport): AccessCheck =>
  async (authorization, path) => {
    const token = bearerTokenOf(authorization)
    if (token === undefined) throw unauthorized()
    const transport = as(token)
    try {
      const signal = AbortSignal.timeout(responseTimeoutMs)
      const { status, body } = await transport({ method: 'GET', path, headers: {}, signal })
      for await (const _ of body) void _
      const reason = reasons[status]
      if (reason) throw new ApiError(status, reason, `the server does not allow the user to read ${path}`)
      if (status !== 200) throw serviceUnavailable(`the server responded with ${status}`)
    } finally {
      await transport.close()
    }
  }
