import { definePlugin, type FeatureGate } from 'orch/sdk'
import { addressGates } from 'orch/sdk/validation'
import { differences } from './differences.js'
import { endpointSlices } from './endpoint-slices/resource.js'
import { endpointsLoop } from './endpoints/controller.js'
import { mirroringLoop } from './mirroring/controller.js'
import { discoveryNames } from './names.js'
import { DiscoveryOptions } from './options.js'
import { slicingLoop } from './slicing/controller.js'

export { conformance } from './conformance.js'

const gates = {
  TopologyAwareHints: {
    stage: 'alpha',
    description: 'Endpoints of a slice may have hints for zones.',
    history: [
      { since: '1.21', stage: 'alpha', isOn: false },
      { since: '1.24', stage: 'beta', isOn: true },
      { since: '1.33', stage: 'stable', isOn: true, isLocked: true },
    ],
  },
  ...addressGates,
} as const satisfies Readonly<Record<string, FeatureGate>>

export const discovery = definePlugin({
  name: 'discovery',
  differences,
  requires: ['namespaces', 'nodes', 'workloads', 'networking'],
  gates,
  options: DiscoveryOptions,
  register(to, { vendor, options, isEnabled }) {
    const names = discoveryNames(vendor)
    to.resource(endpointSlices(names, isEnabled('TopologyAwareHints'), isEnabled('StrictIPCIDRValidation')))
    to.controller(
      endpointsLoop(names),
      slicingLoop(names, options, isEnabled('TopologyAwareHints')),
      mirroringLoop(names, options),
    )
  },
})
