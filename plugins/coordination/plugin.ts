import { definePlugin } from 'orch/sdk'
import { componentStatuses } from './component-statuses/resource.js'
import { leaseCandidates } from './lease-candidates/resource.js'
import { leases } from './leases/resource.js'

export { conformance } from './conformance.js'

export const coordination = definePlugin({
  name: 'coordination',
  requires: ['namespaces'],
  gates: {
    CoordinatedLeaderElection: {
      stage: 'alpha',
      description: 'Leases say how their holder is elected among candidates.',
    },
  },
  register: (to, { vendor }) => to.resource(leases(vendor), leaseCandidates(vendor), componentStatuses(vendor)),
})
