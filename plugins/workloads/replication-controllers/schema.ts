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
    replicas: kept(1, Int32(), { description: 'Desired number of Pods. 1 by default.', default: 1 }),
    minReadySeconds: field(4, Int32(), 'How long a new Pod must be ready before it counts as available.'),
    selector: field(2, StringMap({ mapType: 'atomic' }), 'Labels of the Pods. The labels of the template by default.'),
    template: kept(3, PodTemplateSpec, 'The template for new Pods.'),
  },
  { description: 'The desired Pods.' },
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
    replicas: required(1, Int32(), 'Current number of Pods.'),
    fullyLabeledReplicas: field(2, Int32(), 'How many Pods have all labels of the template.'),
    readyReplicas: field(4, Int32(), 'How many Pods are ready.'),
    availableReplicas: field(5, Int32(), 'How many Pods have been ready for at least minReadySeconds.'),
    observedGeneration: field(3, Int64(), 'The generation that the status refers to.'),
    conditions: field(
      6,
      ListOf(ReplicationControllerCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
  },
  { description: 'The observed Pods.' },
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
