import { Kind, kept, LabelSelector, needed, Quantity, type Static, Text } from 'orch/sdk'

export const CSIStorageCapacity = Kind('storage.v1beta1.CSIStorageCapacity', {
  nodeTopology: kept(2, LabelSelector),
  storageClassName: needed(3, Text()),
  capacity: kept(4, Quantity()),
  maximumVolumeSize: kept(5, Quantity()),
})
export type CSIStorageCapacity = Static<typeof CSIStorageCapacity>
