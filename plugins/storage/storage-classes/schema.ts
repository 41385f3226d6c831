import {
  AtomicList,
  Flag,
  field,
  Kind,
  kept,
  ListOf,
  needed,
  type ObjectOf,
  StringMap,
  Text,
  TopologySelectorTerm,
} from 'orch/sdk'
import type { StorageNames } from '../names.js'

export const StorageClass = Kind('storage.v1.StorageClass', {
  provisioner: needed(2, Text()),
  parameters: field(3, StringMap()),
  reclaimPolicy: kept(4, Text(), { default: 'Delete' }),
  mountOptions: field(5, ListOf(Text())),
  allowVolumeExpansion: kept(6, Flag()),
  volumeBindingMode: kept(7, Text(), { default: 'Immediate' }),
  allowedTopologies: field(8, AtomicList(TopologySelectorTerm)),
})
export type StorageClass = ObjectOf<typeof StorageClass>

/** Claims of such a class are bound when the first Pod that uses them has a node. */
export const waitForFirstConsumer = 'WaitForFirstConsumer'

/** Names the collection for clients and caches. */
export const classCollection = ({ group }: Pick<StorageNames, 'group'>) =>
  ({ group, version: 'v1', resource: 'storageclasses' }) as const
