import { defineAdmission, reject } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'

/** Denies external IPs of Services: anyone who may create a Service could intercept the traffic of others. */
export const denyServiceExternalIps = defineAdmission<Service>()({
  name: 'DenyServiceExternalIPs',
  after: ['DefaultIngressClass'],
  phase: 'validate',
  sideEffects: 'none',
  enabledByDefault: false,
  matches: { group: '', resource: 'services', operations: ['create', 'update'] },
  review({ object, oldObject }) {
    // Existing addresses may be kept or removed.
    const known = new Set(oldObject?.spec?.externalIPs ?? [])
    if ((object.spec?.externalIPs ?? []).some(address => !known.has(address)))
      return reject('Use of external IPs is denied by admission control.')
  },
})
