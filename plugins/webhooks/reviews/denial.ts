import { ApiError, type StatusDetails } from 'orch/sdk'
import type { DenialStatus } from './review-answer.js'

/** The answer to the client when a webhook said no: the webhook's own code, reason and details, and a message that names it. */
export function denial(webhookName: string, given: DenialStatus | undefined): ApiError {
  const { code = 0, reason = '', message = '', details } = given ?? {}
  const why = message || reason
  const denied = `admission webhook ${JSON.stringify(webhookName)} denied the request`
  return new ApiError(
    // A denial is never a success, whatever the webhook wrote.
    code >= 400 && code < 600 ? code : 400,
    reason,
    why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    details as StatusDetails | undefined,
  )
}
