import { Kind, kept, LabelSelector, Quantity, required, type Static, Text } from 'orch/sdk'

/** Both versions have the same fields under their own type names. */
export const capacityIn = (version: 'v1' | 'v1beta1') =>
  Kind(
    `storage.${version}.CSIStorageCapacity`,
    {
      nodeTopology: kept(2, LabelSelector, 'Labels of the nodes that can reach it.'),
      storageClassName: required(3, Text(), 'Storage class that it is for.'),
      capacity: kept(4, Quantity(), 'How much there is.'),
      maximumVolumeSize: kept(5, Quantity(), 'The largest volume that can be made.'),
    },
    { description: 'How much storage a driver has in one part of the cluster.' },
  )
export const CSIStorageCapacity = capacityIn('v1')
export type CSIStorageCapacity = Static<typeof CSIStorageCapacity>
