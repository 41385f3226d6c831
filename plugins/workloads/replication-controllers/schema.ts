import {
  embedded,
  field,
  Int32,
  Int64,
  Kind,
  kept,
  ListOf,
  needed,
  PodTemplateSpec,
  type Static,
  StringMap,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

export const ReplicationControllerSpec = Struct('core.v1.ReplicationControllerSpec', {
  replicas: kept(1, Int32(), { default: 1 }),
  minReadySeconds: field(4, Int32()),
  selector: field(2, StringMap({ mapType: 'atomic' })),
  template: kept(3, PodTemplateSpec),
})
export type ReplicationControllerSpec = Static<typeof ReplicationControllerSpec>

export const ReplicationControllerCondition = Struct('core.v1.ReplicationControllerCondition', {
  type: needed(1, Text()),
  status: needed(2, Text()),
  lastTransitionTime: embedded(3, Time()),
  reason: field(4, Text()),
  message: field(5, Text()),
})
export type ReplicationControllerCondition = Static<typeof ReplicationControllerCondition>

export const ReplicationControllerStatus = Struct('core.v1.ReplicationControllerStatus', {
  replicas: needed(1, Int32()),
  fullyLabeledReplicas: field(2, Int32()),
  readyReplicas: field(4, Int32()),
  availableReplicas: field(5, Int32()),
  observedGeneration: field(3, Int64()),
  conditions: field(6, ListOf(ReplicationControllerCondition, { patchStrategy: 'merge', patchMergeKey: 'type' })),
})
export type ReplicationControllerStatus = Static<typeof ReplicationControllerStatus>

export const ReplicationController = Kind('core.v1.ReplicationController', {
  spec: embedded(2, ReplicationControllerSpec),
  status: embedded(3, ReplicationControllerStatus),
})
export type ReplicationController = Static<typeof ReplicationController>
