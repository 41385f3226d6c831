import type { Strategy } from 'orch/sdk'
import { checkNoneAdded, checkNoneRemoved, validateConditions } from './condition-rules.js'
import { fillConditionTimes } from './condition-times.js'
import { conditionsOf, failed } from './request-state.js'
import type { CertificateSigningRequest } from './schema.js'

/** Approvers write conditions: Approved, Denied, and others of their own, but neither certificates nor failures. */
export const approvalStrategy = {
  prepareForUpdate(draft, stored, { now }) {
    draft.spec = stored.spec
    const { certificate: _, ...status } = draft.status ?? {}
    const certificate = stored.status?.certificate
    draft.status = { ...status, ...(certificate === undefined ? {} : { certificate }) }
    fillConditionTimes(draft, stored, now)
  },
  validateUpdate(sent, stored) {
    const errors = [...validateConditions(conditionsOf(sent)), ...checkNoneRemoved(sent, stored)]
    // Whether the request failed is for its signer to say, through the status.
    return errors.length > 0 ? errors : checkNoneAdded(sent, stored, [failed])
  },
  resetFields: ['spec', 'status.certificate'],
} satisfies Strategy<CertificateSigningRequest>
