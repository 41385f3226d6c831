import { field, Kind, required, type Static, StringMap, Text } from 'orch/sdk'

/** All versions have the same fields under their own type names. */
export const volumeAttributesClassIn = (version: 'v1' | 'v1beta1' | 'v1alpha1') =>
  Kind(
    `storage.${version}.VolumeAttributesClass`,
    {
      driverName: required(2, Text(), 'The driver that volumes of the class are of. It cannot be changed.'),
      parameters: field(3, StringMap(), 'What the driver gives to a volume, such as throughput. It cannot be changed.'),
    },
    { description: 'Attributes of volumes that can be changed while they are used.' },
  )
export const VolumeAttributesClass = volumeAttributesClassIn('v1')
export type VolumeAttributesClass = Static<typeof VolumeAttributesClass>
