import { timestampOf } from 'orch/sdk'
import { conditionsOf } from './request-state.js'
import type { CertificateSigningRequest } from './schema.js'

/** Fills in missing times: an unchanged status keeps its transition time. */
export function fillConditionTimes(
  draft: CertificateSigningRequest,
  stored: CertificateSigningRequest,
  nowMs: number,
): void {
  const now = timestampOf(nowMs)
  for (const condition of draft.status?.conditions ?? []) {
    condition.lastUpdateTime ||= now
    const before = conditionsOf(stored).find(
      ({ type, status, lastTransitionTime }) =>
        type === condition.type && status === condition.status && lastTransitionTime,
    )
    condition.lastTransitionTime ||= before?.lastTransitionTime ?? now
  }
}
