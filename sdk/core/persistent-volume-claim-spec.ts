import { LabelSelector, ObjectMeta } from '../resource/meta.js'
import { embedded, field, kept, ListOf, required, type Static, Struct, Text } from '../resource/schema.js'
import { TypedLocalObjectReference, TypedObjectReference } from './references.js'
import { VolumeResourceRequirements } from './resource-requirements.js'

/** How volumes are shown to containers. */
export const volumeModes: readonly string[] = ['Block', 'Filesystem']
/** The storage that a claim requests. */
export const PersistentVolumeClaimSpec = Struct(
  'core.v1.PersistentVolumeClaimSpec',
  {
    accessModes: field(
      1,
      ListOf(Text()),
      'How it is to be mounted: ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod.',
    ),
    selector: kept(4, LabelSelector, 'Labels of acceptable volumes.'),
    resources: embedded(2, VolumeResourceRequirements, {
      description: 'Requested size, as requests.storage.',
      revised: [{ since: '1.29', to: { typeName: 'core.v1.VolumeResourceRequirements' } }],
    }),
    volumeName: field(3, Text(), 'Name of the volume, once the claim is bound.'),
    storageClassName: kept(5, Text(), 'Requested storage class. Empty means none, absent means the default one.'),
    volumeMode: kept(6, Text(), {
      description: 'Filesystem (the default) or Block.',
      default: 'Filesystem',
    }),
    dataSource: kept(
      7,
      TypedLocalObjectReference,
      'A snapshot or claim whose contents the volume is initialized with.',
    ),
    dataSourceRef: kept(8, TypedLocalObjectReference, {
      description: 'Like dataSource, for any kind of object.',
      revised: [{ since: '1.26', schema: TypedObjectReference }],
    }),
    volumeAttributesClassName: kept(9, Text(), {
      description: 'Class of the attributes that the volume is to have. It can be changed.',
      since: '1.29',
      gate: 'VolumeAttributesClass',
    }),
  },
  { description: 'Requested storage.' },
)
export type PersistentVolumeClaimSpec = Static<typeof PersistentVolumeClaimSpec>

/** The claim to make for an ephemeral volume. */
export const PersistentVolumeClaimTemplate = Struct(
  'core.v1.PersistentVolumeClaimTemplate',
  {
    metadata: embedded(1, ObjectMeta, 'Labels and annotations of the claim.'),
    spec: required(2, PersistentVolumeClaimSpec, { description: 'Requested storage.', keepsGatedFields: true }),
  },
  { description: 'A template for a claim.' },
)
export type PersistentVolumeClaimTemplate = Static<typeof PersistentVolumeClaimTemplate>

/** A volume whose claim is made for, and deleted with, the Pod. */
export const EphemeralVolumeSource = Struct(
  'core.v1.EphemeralVolumeSource',
  {
    volumeClaimTemplate: kept(1, PersistentVolumeClaimTemplate, 'Template for the claim, which belongs to the Pod.'),
  },
  { description: 'A volume with the lifetime of its Pod.' },
)
export type EphemeralVolumeSource = Static<typeof EphemeralVolumeSource>
