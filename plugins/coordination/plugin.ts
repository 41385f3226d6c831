import { definePlugin } from 'orch/sdk'
import { componentStatuses } from './component-statuses/resource.js'
import { leases } from './leases/resource.js'

export { conformance } from './conformance.js'

export const coordination = definePlugin({
  name: 'coordination',
  requires: ['namespaces'],
  register: (to, { vendor }) => to.resource(leases(vendor), componentStatuses(vendor)),
})
