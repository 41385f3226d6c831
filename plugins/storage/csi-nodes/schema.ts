import { embedded, Int32, Kind, kept, ListOf, needed, type Static, Struct, Text } from 'orch/sdk'

export const VolumeNodeResources = Struct('storage.v1.VolumeNodeResources', {
  count: kept(1, Int32()),
})
export type VolumeNodeResources = Static<typeof VolumeNodeResources>

export const CSINodeDriver = Struct('storage.v1.CSINodeDriver', {
  name: needed(1, Text()),
  nodeID: needed(2, Text()),
  topologyKeys: embedded(3, ListOf(Text())),
  allocatable: kept(4, VolumeNodeResources),
})
export type CSINodeDriver = Static<typeof CSINodeDriver>

export const CSINodeSpec = Struct('storage.v1.CSINodeSpec', {
  drivers: needed(1, ListOf(CSINodeDriver, { patchStrategy: 'merge', patchMergeKey: 'name' })),
})
export type CSINodeSpec = Static<typeof CSINodeSpec>

export const CSINode = Kind('storage.v1.CSINode', {
  spec: needed(2, CSINodeSpec),
})
export type CSINode = Static<typeof CSINode>
