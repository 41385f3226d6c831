import { field, Kind, required, type Static, StringMap, Text } from 'orch/sdk'

/** All versions have the same fields under their own type names. */
export const volumeAttributesClassIn = (version: 'v1' | 'v1beta1' | 'v1alpha1') =>
  Kind(
    `storage.${version}.VolumeAttributesClass`,
    {
      driverName: required(2, Text(), 'The driver of volumes of this class. It cannot be changed.'),
      parameters: field(
        3,
        StringMap(),
        'Attributes that the driver applies to a volume, such as throughput. They cannot be changed.',
      ),
    },
    { description: 'Attributes of volumes that can be changed while they are in use.' },
  )
export const VolumeAttributesClass = volumeAttributesClassIn('v1')
export type VolumeAttributesClass = Static<typeof VolumeAttributesClass>
