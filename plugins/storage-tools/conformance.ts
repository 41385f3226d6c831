import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { StorageVersion } from './storage-versions/schema.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  let made = 0
  return {
    samples: {
      [`storageversions.${vendor.group('internal.apiserver')}`]: {
        // The name is that of a type.
        valid: (): Partial<StorageVersion> => ({ metadata: { name: `acme.test.lamps${++made}` }, spec: {} }),
      },
    },
  }
}
