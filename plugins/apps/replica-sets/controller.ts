import { defineController, type Vendor } from 'orch/sdk'
import { loopNeeds, type ReplicaOwner, recordEvents, startReplicaLoop } from 'orch/sdk/controllers'
import { tryMatcher } from '../selector-rules.js'
import { type ReplicaSet, replicaSetCollection } from './schema.js'

/** Maintains the desired number of Pods of each replica set. */
export const replicaSetLoop = (vendor: Vendor, countsTerminating: boolean) =>
  defineController({
    name: 'replicaset',
    account: 'replicaset-controller',
    rules: [
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: ['apps', 'extensions'], resources: ['replicasets'] },
      { verbs: ['update'], apiGroups: ['apps', 'extensions'], resources: ['replicasets/status'] },
      { verbs: ['update'], apiGroups: ['apps', 'extensions'], resources: ['replicasets/finalizers'] },
      { verbs: ['create', 'delete', 'list', 'patch', 'watch'], apiGroups: [''], resources: ['pods'] },
      recordEvents(vendor),
    ],
    needs: loopNeeds,
    start: runtime =>
      startReplicaLoop<ReplicaOwner & ReplicaSet>({
        ...runtime,
        vendor,
        name: 'replicaset',
        component: 'replicaset-controller',
        resource: replicaSetCollection,
        kind: 'ReplicaSet',
        countsTerminating,
        matcherOf: ({ spec }) => tryMatcher(spec?.selector) ?? (() => false),
      }),
  })
