import {
  embedded,
  field,
  Int32,
  Int64,
  Kind,
  kept,
  ListOf,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import { PodTemplateSpec } from 'orch/sdk/core'

export const ReplicationControllerSpec = Struct(
  'core.v1.ReplicationControllerSpec',
  {
    replicas: kept(1, Int32(), { description: 'How many Pods are wanted. 1 by default.', default: 1 }),
    minReadySeconds: field(4, Int32(), 'How long a new Pod must be ready before it counts as available.'),
    selector: field(2, StringMap({ mapType: 'atomic' }), 'Labels of the Pods. The labels of the template by default.'),
    template: kept(3, PodTemplateSpec, 'The template for new Pods.'),
  },
  { description: 'Which Pods are wanted.' },
)
export type ReplicationControllerSpec = Static<typeof ReplicationControllerSpec>

export const ReplicationControllerCondition = Struct(
  'core.v1.ReplicationControllerCondition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastTransitionTime: embedded(3, Time(), 'When the status last changed.'),
    reason: field(4, Text(), 'Machine-readable reason in one word.'),
    message: field(5, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about a replication controller.' },
)
export type ReplicationControllerCondition = Static<typeof ReplicationControllerCondition>

export const ReplicationControllerStatus = Struct(
  'core.v1.ReplicationControllerStatus',
  {
    replicas: required(1, Int32(), 'How many Pods there are.'),
    fullyLabeledReplicas: field(2, Int32(), 'How many of them have all labels of the template.'),
    readyReplicas: field(4, Int32(), 'How many of them are ready.'),
    availableReplicas: field(5, Int32(), 'How many of them have been ready long enough.'),
    observedGeneration: field(3, Int64(), 'The generation that the status is about.'),
    conditions: field(
      6,
      ListOf(ReplicationControllerCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
  },
  { description: 'Which Pods there are.' },
)
export type ReplicationControllerStatus = Static<typeof ReplicationControllerStatus>

export const ReplicationController = Kind(
  'core.v1.ReplicationController',
  {
    spec: embedded(2, ReplicationControllerSpec, 'Desired state.'),
    status: embedded(3, ReplicationControllerStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Keeps a number of Pods running.' },
)
export type ReplicationController = Static<typeof ReplicationController>
