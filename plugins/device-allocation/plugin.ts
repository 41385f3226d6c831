import { definePlugin } from 'orch/sdk'
import { resourceClaimLoop } from './claim-control/resource-claim-loop.js'
import { deviceClasses } from './device-classes/resource.js'
import { deviceTaintRules } from './device-taint-rules/resource.js'
import { differences } from './differences.js'
import { allocationGates, deviceGates } from './gates.js'
import { deviceNames } from './names.js'
import { poolStatusRequests } from './pool-status-requests/resource.js'
import { resourceClaimTemplates } from './resource-claim-templates/resource.js'
import { resourceClaims } from './resource-claims/resource.js'
import { resourceSlices } from './resource-slices/resource.js'

export { conformance } from './conformance.js'

export const deviceAllocation = definePlugin({
  name: 'device-allocation',
  requires: ['namespaces', 'workloads', 'expressions'],
  gates: allocationGates,
  differences,
  register(to, { vendor, isEnabled }) {
    const names = deviceNames(vendor)
    const gates = deviceGates(isEnabled)
    to.resource(deviceClasses(names, gates), resourceClaims(names, gates), resourceClaimTemplates(names, gates))
    to.controller(resourceClaimLoop(names))
    to.resource(resourceSlices(names), deviceTaintRules(names), poolStatusRequests(names))
  },
})
