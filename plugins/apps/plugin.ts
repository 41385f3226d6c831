import { definePlugin, type FeatureGate } from 'orch/sdk'
import { controllerRevisions } from './controller-revisions/resource.js'
import { daemonSets } from './daemon-sets/resource.js'
import { daemonSetLoop } from './daemon-sets/running/controller.js'
import { deployments } from './deployments/resource.js'
import { deploymentLoop } from './deployments/rollout/controller.js'
import { appsDifferences } from './differences.js'
import { replicaSetLoop } from './replica-sets/controller.js'
import { replicaSets } from './replica-sets/resource.js'
import { statefulSets } from './stateful-sets/resource.js'
import { statefulSetLoop } from './stateful-sets/running/controller.js'

export { conformance } from './conformance.js'

const gates = {
  DeploymentReplicaSetTerminatingReplicas: {
    stage: 'beta',
    description: 'The status of Deployments and ReplicaSets counts Pods that are being deleted.',
  },
  MaxUnavailableStatefulSet: { stage: 'beta', description: 'Stateful sets may update several Pods at a time.' },
  StatefulSetStartOrdinal: { stage: 'stable', description: 'Stateful sets may set the ordinal of their first Pod.' },
} as const satisfies Readonly<Record<string, FeatureGate>>

export const apps = definePlugin({
  name: 'apps',
  requires: ['namespaces', 'nodes', 'workloads'],
  gates,
  differences: appsDifferences,
  register(to, { vendor, isEnabled }) {
    const countsTerminating = isEnabled('DeploymentReplicaSetTerminatingReplicas')
    to.resource(deployments, replicaSets, statefulSets, daemonSets, controllerRevisions)
    to.controller(replicaSetLoop(vendor, countsTerminating), deploymentLoop(vendor, countsTerminating))
    to.controller(statefulSetLoop(vendor), daemonSetLoop(vendor))
  },
})
