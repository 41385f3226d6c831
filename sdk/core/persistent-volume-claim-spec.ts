import { LabelSelector, ObjectMeta } from '../meta.js'
import { embedded, field, kept, ListOf, needed, type Static, Struct, Text } from '../schema.js'
import { TypedLocalObjectReference } from './references.js'
import { ResourceRequirements } from './resource-requirements.js'

/** What a claim asks for. */
export const PersistentVolumeClaimSpec = Struct('core.v1.PersistentVolumeClaimSpec', {
  accessModes: field(1, ListOf(Text())),
  selector: kept(4, LabelSelector),
  resources: embedded(2, ResourceRequirements),
  volumeName: field(3, Text()),
  storageClassName: kept(5, Text()),
  volumeMode: kept(6, Text(), { default: 'Filesystem' }),
  dataSource: kept(7, TypedLocalObjectReference),
  dataSourceRef: kept(8, TypedLocalObjectReference),
})
export type PersistentVolumeClaimSpec = Static<typeof PersistentVolumeClaimSpec>

/** The claim to make for an ephemeral volume. */
export const PersistentVolumeClaimTemplate = Struct('core.v1.PersistentVolumeClaimTemplate', {
  metadata: embedded(1, ObjectMeta),
  spec: needed(2, PersistentVolumeClaimSpec),
})
export type PersistentVolumeClaimTemplate = Static<typeof PersistentVolumeClaimTemplate>

/** A volume whose claim is made for, and deleted with, the Pod. */
export const EphemeralVolumeSource = Struct('core.v1.EphemeralVolumeSource', {
  volumeClaimTemplate: kept(1, PersistentVolumeClaimTemplate),
})
export type EphemeralVolumeSource = Static<typeof EphemeralVolumeSource>
