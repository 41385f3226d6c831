import { definePlugin } from 'orch/sdk'
import { componentStatuses } from './component-statuses/resource.js'
import { leaseCandidates } from './lease-candidates/resource.js'
import { leases } from './leases/resource.js'
import { serverIdentity } from './server-identity.js'

export { conformance } from './conformance.js'

export const coordination = definePlugin({
  name: 'coordination',
  requires: ['namespaces'],
  gates: {
    APIServerIdentity: { stage: 'alpha', description: 'Every server renews a Lease as its heartbeat.' },
    CoordinatedLeaderElection: {
      stage: 'alpha',
      description: 'Leases can specify how their holder is elected among candidates.',
    },
  },
  register(to, { vendor, isEnabled }) {
    to.resource(leases(vendor), leaseCandidates(vendor), componentStatuses(vendor))
    if (!isEnabled('APIServerIdentity')) return
    to.onStart(serverIdentity(vendor))
    const { objectPrefix } = vendor.profile
    const leasesOf = `${objectPrefix}-apiserver-identity-lease`
    to.healthCheck(
      { name: `poststarthook/start-${leasesOf}-controller` },
      { name: `poststarthook/start-deprecated-${leasesOf}-garbage-collector`, since: '1.27', until: '1.28' },
      { name: `poststarthook/start-${leasesOf}-garbage-collector` },
    )
  },
})
