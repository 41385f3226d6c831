import { defineController, type Vendor } from 'orch/sdk'
import { loopNeeds, type ReplicaOwner, recordEvents, startReplicaLoop } from 'orch/sdk/controllers'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import type { ReplicationController } from './schema.js'

const resource = { group: '', version: 'v1', resource: 'replicationcontrollers' } as const

/** Creates and deletes Pods so that each replication controller has its desired number. */
export const replicationControllerLoop = (vendor: Vendor) =>
  defineController({
    name: 'replicationcontroller',
    account: 'replication-controller',
    rules: [
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: [''], resources: ['replicationcontrollers'] },
      { verbs: ['update'], apiGroups: [''], resources: ['replicationcontrollers/status'] },
      { verbs: ['update'], apiGroups: [''], resources: ['replicationcontrollers/finalizers'] },
      { verbs: ['create', 'delete', 'list', 'patch', 'watch'], apiGroups: [''], resources: ['pods'] },
      recordEvents(vendor),
    ],
    needs: loopNeeds,
    start: runtime =>
      startReplicaLoop<ReplicaOwner & ReplicationController>({
        ...runtime,
        vendor,
        name: 'replicationcontroller',
        component: 'replication-controller',
        resource,
        kind: 'ReplicationController',
        matcherOf: ({ spec }) => labelSelectorMatcher(spec?.selector && { matchLabels: spec.selector }),
      }),
  })
