import {
  AtomicList,
  Flag,
  field,
  Kind,
  kept,
  ListOf,
  needed,
  type Static,
  StringMap,
  Text,
  TopologySelectorTerm,
} from 'orch/sdk'

export const StorageClass = Kind('storage.v1.StorageClass', {
  provisioner: needed(2, Text()),
  parameters: field(3, StringMap()),
  reclaimPolicy: kept(4, Text(), { default: 'Delete' }),
  mountOptions: field(5, ListOf(Text())),
  allowVolumeExpansion: kept(6, Flag()),
  volumeBindingMode: kept(7, Text(), { default: 'Immediate' }),
  allowedTopologies: field(8, AtomicList(TopologySelectorTerm)),
})
export type StorageClass = Static<typeof StorageClass>
