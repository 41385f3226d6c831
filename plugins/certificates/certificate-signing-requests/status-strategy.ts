import { strategyForStatus } from 'orch/sdk'
import { checkMayBeIssued, checkUnchanged, validateCertificate } from './certificate-rules.js'
import { checkNoneAdded, checkNoneRemoved, validateConditions } from './condition-rules.js'
import { fillConditionTimes } from './condition-times.js'
import { approved, conditionsOf, denied } from './request-state.js'
import type { CertificateSigningRequest } from './schema.js'

/** Decisions that the signer reads but does not make. */
const approvals = [approved, denied]

/** Signers write the certificate, or that they failed, and conditions of their own. */
export const statusStrategy = strategyForStatus<CertificateSigningRequest>({
  prepareForUpdate(draft, stored, { now }) {
    for (const type of approvals) keepAsStored(draft, stored, type)
    fillConditionTimes(draft, stored, now)
  },
  validateUpdate(sent, stored) {
    const errors = [
      ...validateConditions(conditionsOf(sent)),
      ...validateCertificate(sent),
      ...checkNoneRemoved(sent, stored),
      ...checkNoneAdded(sent, stored, approvals),
      ...checkUnchanged(sent, stored),
    ]
    // The state is judged last: it means little while the parts are wrong.
    return errors.length > 0 ? errors : checkMayBeIssued(sent)
  },
  resetFields: ['status.conditions'],
  metadataChecks: { change: 1, object: 1 },
})

/** Puts the stored condition where the sent one is, so that a signer cannot rewrite an approval. */
function keepAsStored(draft: CertificateSigningRequest, stored: CertificateSigningRequest, type: string): void {
  const before = conditionsOf(stored).find(condition => condition.type === type)
  if (!before || !draft.status?.conditions) return
  draft.status.conditions = draft.status.conditions.map(condition => (condition.type === type ? before : condition))
}
