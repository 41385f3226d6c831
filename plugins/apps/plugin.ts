import { definePlugin } from 'orch/sdk'
import { controllerRevisions } from './controller-revisions/resource.js'
import { daemonSets } from './daemon-sets/resource.js'
import { daemonSetLoop } from './daemon-sets/running/controller.js'
import { deployments } from './deployments/resource.js'
import { deploymentLoop } from './deployments/rollout/controller.js'
import { replicaSetLoop } from './replica-sets/controller.js'
import { replicaSets } from './replica-sets/resource.js'
import { statefulSets } from './stateful-sets/resource.js'
import { statefulSetLoop } from './stateful-sets/running/controller.js'

export { conformance } from './conformance.js'

export const apps = definePlugin({
  name: 'apps',
  requires: ['namespaces', 'nodes', 'workloads'],
  register(to, { vendor }) {
    to.resource(deployments, replicaSets, statefulSets, daemonSets, controllerRevisions)
    to.controller(replicaSetLoop(vendor), deploymentLoop(vendor))
    to.controller(statefulSetLoop(vendor), daemonSetLoop(vendor))
  },
})
