import { embedded, Int32, Kind, kept, ListOf, required, type Static, Struct, Text } from 'orch/sdk'

export const VolumeNodeResources = Struct(
  'storage.v1.VolumeNodeResources',
  {
    count: kept(1, Int32(), 'How many volumes can be used at the same time. No limit if it is not set.'),
  },
  { description: 'Limits of a driver on a node.' },
)
export type VolumeNodeResources = Static<typeof VolumeNodeResources>

export const CSINodeDriver = Struct(
  'storage.v1.CSINodeDriver',
  {
    name: required(1, Text(), 'Name of the driver.'),
    nodeID: required(2, Text(), "Name of the node in the driver's words."),
    topologyKeys: embedded(3, ListOf(Text()), "Labels of the node that say where it is, in the driver's words."),
    allocatable: kept(4, VolumeNodeResources, 'Limits of the driver on this node.'),
  },
  { description: 'A storage driver on a node.' },
)
export type CSINodeDriver = Static<typeof CSINodeDriver>

export const CSINodeSpec = Struct(
  'storage.v1.CSINodeSpec',
  {
    drivers: required(1, ListOf(CSINodeDriver, { patchStrategy: 'merge', patchMergeKey: 'name' }), 'The drivers.'),
  },
  { description: 'Storage drivers on a node.' },
)
export type CSINodeSpec = Static<typeof CSINodeSpec>

export const CSINode = Kind(
  'storage.v1.CSINode',
  {
    spec: required(2, CSINodeSpec, 'Desired state.'),
  },
  { description: 'Which storage drivers a node has. It has the name of the node.' },
)
export type CSINode = Static<typeof CSINode>
