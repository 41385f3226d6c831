import { orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { nodeNames } from '../names.js'
import { leases } from './resource.js'
import type { Lease } from './schema.js'

const vendor = { ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' }
const names = nodeNames(new Vendor(vendor))

const conformance = suite('leases serve the whole API')

for (const { name, run } of resourceConformance<Lease>({
  resource: leases(names),
  vendor,
  valid: () => ({ spec: { holderIdentity: 'me' } }),
  invalid: {
    'a duration of nothing': object => {
      object.spec = { leaseDurationSeconds: 0 }
    },
    'negative transitions': object => {
      object.spec = { leaseTransitions: -1 }
    },
  },
  update: object => {
    object.spec = { holderIdentity: 'you' }
  },
})) {
  conformance(name, run)
}

conformance.run()
