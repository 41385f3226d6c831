import {
  embedded,
  field,
  Int32,
  Int64,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  required,
  type SentObjectOf,
  type Static,
  Struct,
} from 'orch/sdk'
import { PodTemplateSpec } from 'orch/sdk/core'
import { conditionStruct } from '../conditions.js'

export const ReplicaSetSpec = Struct(
  'apps.v1.ReplicaSetSpec',
  {
    replicas: kept(1, Int32(), { description: 'The desired number of Pods. 1 by default.', default: 1 }),
    minReadySeconds: field(4, Int32(), 'How long a new Pod must be ready before it counts as available.'),
    selector: required(2, LabelSelector, {
      description: 'Labels of the Pods. The template must have them. They cannot be changed.',
      nullable: true,
    }),
    template: embedded(3, PodTemplateSpec, 'The template for new Pods.'),
  },
  { description: 'Desired state of a replica set.' },
)
export type ReplicaSetSpec = Static<typeof ReplicaSetSpec>

export const ReplicaSetCondition = conditionStruct('ReplicaSet', 'a replica set')
export type ReplicaSetCondition = Static<typeof ReplicaSetCondition>

export const ReplicaSetStatus = Struct(
  'apps.v1.ReplicaSetStatus',
  {
    replicas: required(1, Int32(), 'How many Pods there are.'),
    fullyLabeledReplicas: field(2, Int32(), 'How many of them have all labels of the template.'),
    readyReplicas: field(4, Int32(), 'How many of them are ready.'),
    availableReplicas: field(5, Int32(), 'How many of them have been ready long enough.'),
    terminatingReplicas: kept(7, Int32(), {
      description: 'How many Pods are being deleted.',
      since: '1.33',
      gate: 'DeploymentReplicaSetTerminatingReplicas',
    }),
    observedGeneration: field(3, Int64(), 'The generation that the status refers to.'),
    conditions: field(
      6,
      ListOf(ReplicaSetCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
  },
  { description: 'Observed state of a replica set.' },
)
export type ReplicaSetStatus = Static<typeof ReplicaSetStatus>

export const ReplicaSet = Kind(
  'apps.v1.ReplicaSet',
  {
    spec: embedded(2, ReplicaSetSpec, 'Desired state.'),
    status: embedded(3, ReplicaSetStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A number of interchangeable Pods.' },
)
export type ReplicaSet = SentObjectOf<typeof ReplicaSet>

/** Names the collection for clients and caches. */
export const replicaSetCollection = { group: 'apps', version: 'v1', resource: 'replicasets' } as const
