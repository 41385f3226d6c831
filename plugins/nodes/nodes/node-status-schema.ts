import {
  embedded,
  field,
  Int32,
  Int64,
  kept,
  ListOf,
  MapOf,
  needed,
  Quantity,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

export const ConfigMapNodeConfigSource = Struct('core.v1.ConfigMapNodeConfigSource', {
  namespace: needed(1, Text()),
  name: needed(2, Text()),
  uid: field(3, Text()),
  resourceVersion: field(4, Text()),
  kubeletConfigKey: needed(5, Text()),
})
export type ConfigMapNodeConfigSource = Static<typeof ConfigMapNodeConfigSource>

export const NodeConfigSource = Struct('core.v1.NodeConfigSource', {
  configMap: kept(2, ConfigMapNodeConfigSource),
})
export type NodeConfigSource = Static<typeof NodeConfigSource>

export const NodeConfigStatus = Struct('core.v1.NodeConfigStatus', {
  assigned: kept(1, NodeConfigSource),
  active: kept(2, NodeConfigSource),
  lastKnownGood: kept(3, NodeConfigSource),
  error: field(4, Text()),
})
export type NodeConfigStatus = Static<typeof NodeConfigStatus>

export const NodeAddress = Struct('core.v1.NodeAddress', {
  type: needed(1, Text()),
  address: needed(2, Text()),
})
export type NodeAddress = Static<typeof NodeAddress>

export const NodeCondition = Struct('core.v1.NodeCondition', {
  type: needed(1, Text()),
  status: needed(2, Text()),
  lastHeartbeatTime: embedded(3, Time()),
  lastTransitionTime: embedded(4, Time()),
  reason: field(5, Text()),
  message: field(6, Text()),
})
export type NodeCondition = Static<typeof NodeCondition>

export const DaemonEndpoint = Struct('core.v1.DaemonEndpoint', {
  Port: needed(1, Int32()),
})
export type DaemonEndpoint = Static<typeof DaemonEndpoint>

export const NodeDaemonEndpoints = Struct('core.v1.NodeDaemonEndpoints', {
  kubeletEndpoint: embedded(1, DaemonEndpoint),
})
export type NodeDaemonEndpoints = Static<typeof NodeDaemonEndpoints>

export const NodeSystemInfo = Struct('core.v1.NodeSystemInfo', {
  machineID: needed(1, Text()),
  systemUUID: needed(2, Text()),
  bootID: needed(3, Text()),
  kernelVersion: needed(4, Text()),
  osImage: needed(5, Text()),
  containerRuntimeVersion: needed(6, Text()),
  kubeletVersion: needed(7, Text()),
  kubeProxyVersion: needed(8, Text()),
  operatingSystem: needed(9, Text()),
  architecture: needed(10, Text()),
})
export type NodeSystemInfo = Static<typeof NodeSystemInfo>

export const ContainerImage = Struct('core.v1.ContainerImage', {
  names: embedded(1, ListOf(Text())),
  sizeBytes: field(2, Int64()),
})
export type ContainerImage = Static<typeof ContainerImage>

export const AttachedVolume = Struct('core.v1.AttachedVolume', {
  name: needed(1, Text()),
  devicePath: needed(2, Text()),
})
export type AttachedVolume = Static<typeof AttachedVolume>

export const NodeStatus = Struct('core.v1.NodeStatus', {
  capacity: field(1, MapOf(Quantity())),
  allocatable: field(2, MapOf(Quantity())),
  phase: field(3, Text()),
  conditions: field(4, ListOf(NodeCondition, { patchStrategy: 'merge', patchMergeKey: 'type' })),
  addresses: field(5, ListOf(NodeAddress, { patchStrategy: 'merge', patchMergeKey: 'type' })),
  daemonEndpoints: embedded(6, NodeDaemonEndpoints),
  nodeInfo: embedded(7, NodeSystemInfo),
  images: field(8, ListOf(ContainerImage)),
  volumesInUse: field(9, ListOf(Text())),
  volumesAttached: field(10, ListOf(AttachedVolume)),
  config: kept(11, NodeConfigStatus),
})
export type NodeStatus = Static<typeof NodeStatus>
