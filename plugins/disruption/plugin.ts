import { definePlugin } from 'orch/sdk'
import { disruptionDifferences } from './differences.js'
import { eviction } from './eviction/eviction.js'
import { disruptionLoop } from './loop/controller.js'
import { nodeLifecycleLoop } from './node-lifecycle/controller.js'
import { DisruptionOptions } from './options.js'
import { podDisruptionBudgets } from './pod-disruption-budgets/resource.js'
import { podGarbageLoop } from './pod-garbage/controller.js'
import { taintEvictionLoop } from './taints/controller.js'

export { conformance } from './conformance.js'

export const disruption = definePlugin({
  name: 'disruption',
  requires: ['namespaces', 'nodes', 'workloads'],
  gates: {
    PDBUnhealthyPodEvictionPolicy: {
      stage: 'stable',
      description: 'Budgets can specify when Pods that are not ready may be evicted.',
    },
  },
  differences: disruptionDifferences,
  options: DisruptionOptions,
  register(to, { vendor, options }) {
    to.resource(podDisruptionBudgets(vendor))
    to.controller(disruptionLoop(vendor), taintEvictionLoop(vendor))
    to.controller(nodeLifecycleLoop(vendor, options), podGarbageLoop(vendor, options))
    to.subresource({ group: '', resource: 'pods', name: 'eviction', subresource: eviction(vendor) })
  },
})
