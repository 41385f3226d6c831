import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { Lease } from 'orch/sdk/core'
import type { LeaseCandidate } from './lease-candidates/schema.js'

/** Samples for `orch conformance`. */
export const conformance = (vendor: Vendor): ConformanceSamples => ({
  samples: {
    [`leases.${vendor.group('coordination')}`]: {
      valid: (): Lease => ({ spec: { holderIdentity: 'me' } }),
      invalid: {
        'a duration of zero': (object: Lease) => {
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
    [`leasecandidates.${vendor.group('coordination')}`]: {
      valid: (): Pick<LeaseCandidate, 'spec'> => ({
        spec: { leaseName: 'l', binaryVersion: '1.2.3', emulationVersion: '1.2.0', strategy: 'OldestEmulationVersion' },
      }),
      invalid: {
        'no lease': ({ spec }: LeaseCandidate) => {
          spec.leaseName = ''
        },
        'an invalid version': ({ spec }: LeaseCandidate) => {
          spec.binaryVersion = 'latest'
        },
      },
      update: ({ spec }: LeaseCandidate) => {
        spec.binaryVersion = '1.2.4'
      },
    },
  },
})
