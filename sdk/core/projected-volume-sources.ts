import {
  embedded,
  Flag,
  field,
  Int32,
  Int64,
  inlined,
  kept,
  ListOf,
  needed,
  type Static,
  Struct,
  Text,
} from '../schema.js'
import { ObjectFieldSelector, ResourceFieldSelector } from './downward-fields.js'
import { LocalObjectReference } from './references.js'

/** Puts one key at a path inside a volume. */
export const KeyToPath = Struct('core.v1.KeyToPath', {
  key: needed(1, Text()),
  path: needed(2, Text()),
  mode: kept(3, Int32()),
})
export type KeyToPath = Static<typeof KeyToPath>

/** The keys of a ConfigMap as files. */
export const ConfigMapVolumeSource = Struct('core.v1.ConfigMapVolumeSource', {
  ...inlined(1, LocalObjectReference),
  items: field(2, ListOf(KeyToPath)),
  defaultMode: kept(3, Int32(), { default: 0o644 }),
  optional: kept(4, Flag()),
})
export type ConfigMapVolumeSource = Static<typeof ConfigMapVolumeSource>

/** The keys of a Secret as files. */
export const SecretVolumeSource = Struct('core.v1.SecretVolumeSource', {
  secretName: field(1, Text()),
  items: field(2, ListOf(KeyToPath)),
  defaultMode: kept(3, Int32(), { default: 0o644 }),
  optional: kept(4, Flag()),
})
export type SecretVolumeSource = Static<typeof SecretVolumeSource>

/** One file that holds a field of the Pod. */
export const DownwardAPIVolumeFile = Struct('core.v1.DownwardAPIVolumeFile', {
  path: needed(1, Text()),
  fieldRef: kept(2, ObjectFieldSelector),
  resourceFieldRef: kept(3, ResourceFieldSelector),
  mode: kept(4, Int32()),
})
export type DownwardAPIVolumeFile = Static<typeof DownwardAPIVolumeFile>

/** Fields of the Pod as files. */
export const DownwardAPIVolumeSource = Struct('core.v1.DownwardAPIVolumeSource', {
  items: field(1, ListOf(DownwardAPIVolumeFile)),
  defaultMode: kept(2, Int32(), { default: 0o644 }),
})
export type DownwardAPIVolumeSource = Static<typeof DownwardAPIVolumeSource>

/** The keys of a ConfigMap as part of a projected volume. */
export const ConfigMapProjection = Struct('core.v1.ConfigMapProjection', {
  ...inlined(1, LocalObjectReference),
  items: field(2, ListOf(KeyToPath)),
  optional: kept(4, Flag()),
})
export type ConfigMapProjection = Static<typeof ConfigMapProjection>

/** The keys of a Secret as part of a projected volume. */
export const SecretProjection = Struct('core.v1.SecretProjection', {
  ...inlined(1, LocalObjectReference),
  items: field(2, ListOf(KeyToPath)),
  optional: kept(4, Flag()),
})
export type SecretProjection = Static<typeof SecretProjection>

/** Fields of the Pod as part of a projected volume. */
export const DownwardAPIProjection = Struct('core.v1.DownwardAPIProjection', {
  items: field(1, ListOf(DownwardAPIVolumeFile)),
})
export type DownwardAPIProjection = Static<typeof DownwardAPIProjection>

/** A token of the service account of the Pod as part of a projected volume. */
export const ServiceAccountTokenProjection = Struct('core.v1.ServiceAccountTokenProjection', {
  audience: field(1, Text()),
  expirationSeconds: kept(2, Int64(), { default: 3600 }),
  path: needed(3, Text()),
})
export type ServiceAccountTokenProjection = Static<typeof ServiceAccountTokenProjection>

/** One part of a projected volume: exactly one field is set. */
export const VolumeProjection = Struct('core.v1.VolumeProjection', {
  secret: kept(1, SecretProjection),
  downwardAPI: kept(2, DownwardAPIProjection),
  configMap: kept(3, ConfigMapProjection),
  serviceAccountToken: kept(4, ServiceAccountTokenProjection),
})
export type VolumeProjection = Static<typeof VolumeProjection>

/** Several sources as files in one directory. */
export const ProjectedVolumeSource = Struct('core.v1.ProjectedVolumeSource', {
  sources: embedded(1, ListOf(VolumeProjection)),
  defaultMode: kept(2, Int32(), { default: 0o644 }),
})
export type ProjectedVolumeSource = Static<typeof ProjectedVolumeSource>
