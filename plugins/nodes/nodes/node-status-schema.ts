import {
  AtomicList,
  Bool,
  embedded,
  field,
  Int32,
  Int64,
  kept,
  ListOf,
  MapOf,
  Quantity,
  required,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

export const ConfigMapNodeConfigSource = Struct(
  'core.v1.ConfigMapNodeConfigSource',
  {
    namespace: required(1, Text(), 'Namespace of the ConfigMap.'),
    name: required(2, Text(), 'Name of the ConfigMap.'),
    uid: field(3, Text(), 'UID of the ConfigMap. Only in status.'),
    resourceVersion: field(4, Text(), 'Version of the ConfigMap. Only in status.'),
    kubeletConfigKey: required(5, Text(), 'Key of the ConfigMap that holds the settings.'),
  },
  { description: 'A ConfigMap with the settings of a node agent.' },
)
export type ConfigMapNodeConfigSource = Static<typeof ConfigMapNodeConfigSource>

export const NodeConfigSource = Struct(
  'core.v1.NodeConfigSource',
  {
    configMap: kept(2, ConfigMapNodeConfigSource, 'A ConfigMap with the settings.'),
  },
  { description: 'Where the settings of a node agent come from.' },
)
export type NodeConfigSource = Static<typeof NodeConfigSource>

export const NodeConfigStatus = Struct(
  'core.v1.NodeConfigStatus',
  {
    assigned: kept(1, NodeConfigSource, 'The settings that it tries to use.'),
    active: kept(2, NodeConfigSource, 'The settings that it uses.'),
    lastKnownGood: kept(3, NodeConfigSource, 'The settings that it falls back to.'),
    error: field(4, Text(), 'The error of the assigned settings.'),
  },
  { description: 'Which settings a node agent uses.' },
)
export type NodeConfigStatus = Static<typeof NodeConfigStatus>

export const NodeAddress = Struct(
  'core.v1.NodeAddress',
  {
    type: required(1, Text(), 'Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.'),
    address: required(2, Text(), 'The address.'),
  },
  { description: 'An address of a node.' },
)
export type NodeAddress = Static<typeof NodeAddress>

export const NodeCondition = Struct(
  'core.v1.NodeCondition',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastHeartbeatTime: embedded(3, Time(), 'When the node last reported it.'),
    lastTransitionTime: embedded(4, Time(), 'When the status last changed.'),
    reason: field(5, Text(), 'Machine-readable reason in one word.'),
    message: field(6, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about a node.' },
)
export type NodeCondition = Static<typeof NodeCondition>

export const DaemonEndpoint = Struct(
  'core.v1.DaemonEndpoint',
  {
    Port: required(1, Int32(), 'The port.'),
  },
  { description: 'A port that a daemon listens at.' },
)
export type DaemonEndpoint = Static<typeof DaemonEndpoint>

export const NodeDaemonEndpoints = Struct(
  'core.v1.NodeDaemonEndpoints',
  {
    kubeletEndpoint: embedded(1, DaemonEndpoint, 'Where the node agent listens.'),
  },
  { description: 'Ports of the daemons of a node.' },
)
export type NodeDaemonEndpoints = Static<typeof NodeDaemonEndpoints>

export const NodeSwapStatus = Struct(
  'core.v1.NodeSwapStatus',
  { capacity: kept(1, Int64(), 'Its size in bytes.') },
  { description: 'The swap space of a node.' },
)
export type NodeSwapStatus = Static<typeof NodeSwapStatus>

export const NodeSystemInfo = Struct(
  'core.v1.NodeSystemInfo',
  {
    machineID: required(1, Text(), 'Identifies the machine among all machines.'),
    systemUUID: required(2, Text(), 'Identifies the hardware or the virtual machine.'),
    bootID: required(3, Text(), 'Identifies the time since the last boot.'),
    kernelVersion: required(4, Text(), "Version of the operating system's kernel."),
    osImage: required(5, Text(), 'Name of the operating system.'),
    containerRuntimeVersion: required(6, Text(), 'Container runtime and its version.'),
    kubeletVersion: required(7, Text(), 'Version of the node agent.'),
    kubeProxyVersion: required(8, Text(), 'Version of the service proxy.'),
    operatingSystem: required(9, Text(), 'Operating system, such as linux.'),
    architecture: required(10, Text(), 'Architecture of the processor, such as amd64.'),
    swap: kept(11, NodeSwapStatus, { description: 'The swap space of the node.', since: '1.33' }),
  },
  { description: 'Facts about a node.' },
)
export type NodeSystemInfo = Static<typeof NodeSystemInfo>

export const ContainerImage = Struct(
  'core.v1.ContainerImage',
  {
    names: embedded(1, ListOf(Text()), 'Names by which the image is known.'),
    sizeBytes: field(2, Int64(), 'Size of the image in bytes.'),
  },
  { description: 'An image that a node has.' },
)
export type ContainerImage = Static<typeof ContainerImage>

export const AttachedVolume = Struct(
  'core.v1.AttachedVolume',
  {
    name: required(1, Text(), 'Name of the volume.'),
    devicePath: required(2, Text(), 'Path of the device on the node.'),
  },
  { description: 'A volume that is attached to a node.' },
)
export type AttachedVolume = Static<typeof AttachedVolume>

export const NodeRuntimeHandlerFeatures = Struct(
  'core.v1.NodeRuntimeHandlerFeatures',
  {
    recursiveReadOnlyMounts: kept(1, Bool(), 'Mounts can be read-only with all that is mounted below them.'),
    userNamespaces: kept(2, Bool(), {
      description: 'Containers can have users of their own.',
      since: '1.31',
    }),
  },
  { description: 'What a runtime handler can do.' },
)
export type NodeRuntimeHandlerFeatures = Static<typeof NodeRuntimeHandlerFeatures>

export const NodeRuntimeHandler = Struct(
  'core.v1.NodeRuntimeHandler',
  {
    name: embedded(1, Text(), 'Its name; empty for the default one.'),
    features: kept(2, NodeRuntimeHandlerFeatures, 'What it can do.'),
  },
  { description: 'A container runtime handler of a node.' },
)
export type NodeRuntimeHandler = Static<typeof NodeRuntimeHandler>

export const NodeFeatures = Struct(
  'core.v1.NodeFeatures',
  { supplementalGroupsPolicy: kept(1, Bool(), 'Pods may set the policy for supplemental groups.') },
  { description: 'What the runtime of a node can do, whatever the handler.' },
)
export type NodeFeatures = Static<typeof NodeFeatures>

export const NodeStatus = Struct(
  'core.v1.NodeStatus',
  {
    capacity: field(1, MapOf(Quantity()), 'Total amount of each resource.'),
    allocatable: field(2, MapOf(Quantity()), 'Amount of each resource that Pods may use. Capacity by default.'),
    phase: field(3, Text(), 'No longer used.'),
    conditions: field(
      4,
      ListOf(NodeCondition, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
    addresses: field(
      5,
      ListOf(NodeAddress, { patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Addresses at which the node can be reached.',
    ),
    daemonEndpoints: embedded(6, NodeDaemonEndpoints, 'Ports of its daemons.'),
    nodeInfo: embedded(7, NodeSystemInfo, 'Facts about the node.'),
    images: field(8, ListOf(ContainerImage), 'Images that it has.'),
    volumesInUse: field(9, ListOf(Text()), 'Volumes that are mounted there.'),
    volumesAttached: field(10, ListOf(AttachedVolume), 'Volumes that are attached there.'),
    config: kept(11, NodeConfigStatus, 'Which settings its agent uses.'),
    runtimeHandlers: field(12, AtomicList(NodeRuntimeHandler), {
      description: 'Container runtime handlers.',
      since: '1.30',
    }),
    features: kept(13, NodeFeatures, {
      description: 'What its runtime can do, whatever the handler.',
      since: '1.31',
    }),
    declaredFeatures: field(14, AtomicList(Text()), {
      description: 'Features of its agent, by which Pods are placed. Sorted, each once.',
      since: '1.35',
    }),
  },
  { description: 'Observed state of a node.' },
)
export type NodeStatus = Static<typeof NodeStatus>
