import { compareAmountTexts } from 'orch/sdk/core'
import type { ResourceQuota } from './schema.js'

/** Resources that have requests and limits. Those of Pods may be limited by their own name, which means their requests. */
const compared = [
  { resource: 'cpu', isOfPods: true },
  { resource: 'memory', isOfPods: true },
  { resource: 'storage', isOfPods: false },
  { resource: 'ephemeral-storage', isOfPods: false },
]

/** Requests never exceed limits, so a quota that allows more of them promises too much. */
export function requestWarnings({ spec: { hard = {} } = {} }: ResourceQuota): string[] {
  return compared.flatMap(({ resource, isOfPods }) => {
    const named = `requests.${resource}`
    const request = hard[named] === undefined && isOfPods ? resource : named
    const limit = `limits.${resource}`
    const [requested, limited] = [hard[request], hard[limit]]
    return requested !== undefined && limited !== undefined && compareAmountTexts(requested, limited) > 0
      ? [`${request} of the quota (${requested}) should not be more than its ${limit} (${limited})`]
      : []
  })
}
