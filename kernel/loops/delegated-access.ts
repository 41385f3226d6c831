import { ApiError, serviceUnavailable, unauthorized } from 'orch/sdk'
import type { ClosableTransport } from 'orch/sdk/client'
import { bearerTokenOf } from '../request/bearer-token.js'

/** Throws the 401 or 403 for whoever may not read a path. */
export type AccessCheck = (authorization: string | undefined, path: string) => Promise<void>

const answerMs = 5_000
const reasons: Readonly<Record<number, string>> = { 401: 'Unauthorized', 403: 'Forbidden' }

/**
 * A process that knows no users lets the server judge: who may read the same path there may read it here. `as` connects to
 * the server in the name of whoever has the token.
 */
export const delegatedAccess =
  (as: (token: string) => ClosableTransport): AccessCheck =>
  async (authorization, path) => {
    const token = bearerTokenOf(authorization)
    if (token === undefined) throw unauthorized()
    const transport = as(token)
    try {
      const signal = AbortSignal.timeout(answerMs)
      const { status, body } = await transport({ method: 'GET', path, headers: {}, signal })
      for await (const _ of body) void _
      const reason = reasons[status]
      if (reason) throw new ApiError(status, reason, `the server does not let its user read ${path}`)
      if (status !== 200) throw serviceUnavailable(`the server answered ${status}`)
    } finally {
      await transport.close()
    }
  }
