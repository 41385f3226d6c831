import { Kind, kept, LabelSelector, Quantity, required, type Static, Text } from 'orch/sdk'

/** Both versions have the same fields under their own type names. */
export const capacityIn = (version: 'v1' | 'v1beta1') =>
  Kind(
    `storage.${version}.CSIStorageCapacity`,
    {
      nodeTopology: kept(2, LabelSelector, 'Labels of the nodes that can access the storage.'),
      storageClassName: required(3, Text(), 'The storage class.'),
      capacity: kept(4, Quantity(), 'The available capacity.'),
      maximumVolumeSize: kept(5, Quantity(), 'The largest volume that can be created.'),
    },
    { description: 'How much storage a driver has in one part of the cluster.' },
  )
export const CSIStorageCapacity = capacityIn('v1')
export type CSIStorageCapacity = Static<typeof CSIStorageCapacity>
