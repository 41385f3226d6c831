import { strategyForStatus } from 'orch/sdk'
import { checkMayBeIssued } from './certificate-rules.js'
import { checkNoneRemoved, validateConditions } from './condition-rules.js'
import { fillConditionTimes } from './condition-times.js'
import { conditionsOf } from './request-state.js'
import type { CertificateSigningRequest } from './schema.js'

/** Approvers write conditions: Approved, Denied, that it failed, and others of their own, but no certificates. */
export const approvalStrategy = strategyForStatus<CertificateSigningRequest>({
  prepareForUpdate(draft, stored, { now }) {
    const { certificate: _, ...status } = draft.status ?? {}
    const certificate = stored.status?.certificate
    draft.status = { ...status, ...(certificate === undefined ? {} : { certificate }) }
    fillConditionTimes(draft, stored, now)
  },
  validateUpdate(sent, stored) {
    const errors = [...validateConditions(conditionsOf(sent)), ...checkNoneRemoved(sent, stored)]
    // What has its certificate did not fail.
    return errors.length > 0 ? errors : checkMayBeIssued(sent)
  },
  resetFields: ['status.certificate'],
  metadataChecks: { change: 1, object: 1 },
})
