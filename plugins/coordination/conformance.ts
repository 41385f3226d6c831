import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { Lease } from 'orch/sdk/core'

/** Samples for `orch conformance`. */
export const conformance = (vendor: Vendor): ConformanceSamples => ({
  samples: {
    [`leases.${vendor.group('coordination')}`]: {
      valid: (): Lease => ({ spec: { holderIdentity: 'me' } }),
      invalid: {
        'a duration of nothing': (object: Lease) => {
          object.spec = { leaseDurationSeconds: 0 }
        },
        'negative transitions': (object: Lease) => {
          object.spec = { leaseTransitions: -1 }
        },
      },
      update: (object: Lease) => {
        object.spec = { holderIdentity: 'you' }
      },
    },
  },
})
