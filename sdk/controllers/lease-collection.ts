import type { ResourceRef } from '../client/client.js'
import type { Vendor } from '../plugin/vendor.js'

/** Where the Leases of a vendor live, for `withLeaderElection`. */
export const leaseCollection = (vendor: Vendor): ResourceRef => ({
  group: vendor.group('coordination'),
  version: 'v1',
  resource: 'leases',
})
