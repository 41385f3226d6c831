import type { ResourceRef } from '../client/client.js'
import type { Vendor } from '../plugin/vendor.js'

/** The collection of Leases of a vendor, for `withLeaderElection`. */
export const leaseCollection = (vendor: Vendor): ResourceRef => ({
  group: vendor.group('coordination'),
  version: 'v1',
  resource: 'leases',
})
