import { LabelSelector } from '../resource/meta.js'
import {
  Bool,
  embedded,
  field,
  Int32,
  Int64,
  inlined,
  kept,
  ListOf,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
} from '../resource/schema.js'
import { ObjectFieldSelector, ResourceFieldSelector } from './downward-fields.js'
import { LocalObjectReference } from './references.js'

/** Puts one key at a path inside a volume. */
export const KeyToPath = Struct(
  'core.v1.KeyToPath',
  {
    key: required(1, Text(), 'The key.'),
    path: required(2, Text(), 'Path of the file. It may not begin with / or contain "..".'),
    mode: kept(3, Int32(), 'Permissions of the file, 0 to 0777. defaultMode by default.'),
  },
  { description: 'A key that becomes a file.' },
)
export type KeyToPath = Static<typeof KeyToPath>

/** The keys of a ConfigMap as files. */
export const ConfigMapVolumeSource = Struct(
  'core.v1.ConfigMapVolumeSource',
  {
    ...inlined(1, LocalObjectReference),
    items: field(2, ListOf(KeyToPath), 'Keys that become files. All of them by default.'),
    defaultMode: kept(3, Int32(), {
      description: 'Permissions of the files, 0 to 0777. 0644 by default.',
      default: 0o644,
    }),
    optional: kept(4, Bool(), 'Whether the ConfigMap or keys of it may be missing.'),
  },
  { description: 'The data of a ConfigMap, as files.' },
)
export type ConfigMapVolumeSource = Static<typeof ConfigMapVolumeSource>

/** The keys of a Secret as files. */
export const SecretVolumeSource = Struct(
  'core.v1.SecretVolumeSource',
  {
    secretName: field(1, Text(), 'Name of the Secret.'),
    items: field(2, ListOf(KeyToPath), 'Keys that become files. All of them by default.'),
    defaultMode: kept(3, Int32(), {
      description: 'Permissions of the files, 0 to 0777. 0644 by default.',
      default: 0o644,
    }),
    optional: kept(4, Bool(), 'Whether the Secret or keys of it may be missing.'),
  },
  { description: 'The data of a Secret, as files.' },
)
export type SecretVolumeSource = Static<typeof SecretVolumeSource>

/** One file that holds a field of the Pod. */
export const DownwardAPIVolumeFile = Struct(
  'core.v1.DownwardAPIVolumeFile',
  {
    path: required(1, Text(), 'Path of the file. It may not begin with / or contain "..".'),
    fieldRef: kept(2, ObjectFieldSelector, 'A field of the Pod.'),
    resourceFieldRef: kept(3, ResourceFieldSelector, 'A resource of a container.'),
    mode: kept(4, Int32(), 'Permissions of the file, 0 to 0777. defaultMode by default.'),
  },
  { description: 'A field of the Pod that becomes a file.' },
)
export type DownwardAPIVolumeFile = Static<typeof DownwardAPIVolumeFile>

/** Fields of the Pod as files. */
export const DownwardAPIVolumeSource = Struct(
  'core.v1.DownwardAPIVolumeSource',
  {
    items: field(1, ListOf(DownwardAPIVolumeFile), 'The files.'),
    defaultMode: kept(2, Int32(), {
      description: 'Permissions of the files, 0 to 0777. 0644 by default.',
      default: 0o644,
    }),
  },
  { description: 'Fields of the Pod, as files.' },
)
export type DownwardAPIVolumeSource = Static<typeof DownwardAPIVolumeSource>

/** The keys of a ConfigMap as part of a projected volume. */
export const ConfigMapProjection = Struct(
  'core.v1.ConfigMapProjection',
  {
    ...inlined(1, LocalObjectReference),
    items: field(2, ListOf(KeyToPath), 'Keys that become files. All of them by default.'),
    optional: kept(4, Bool(), 'Whether the ConfigMap or keys of it may be missing.'),
  },
  { description: 'The data of a ConfigMap, as files of a projected volume.' },
)
export type ConfigMapProjection = Static<typeof ConfigMapProjection>

/** The keys of a Secret as part of a projected volume. */
export const SecretProjection = Struct(
  'core.v1.SecretProjection',
  {
    ...inlined(1, LocalObjectReference),
    items: field(2, ListOf(KeyToPath), 'Keys that become files. All of them by default.'),
    optional: kept(4, Bool(), 'Whether the Secret or keys of it may be missing.'),
  },
  { description: 'The data of a Secret, as files of a projected volume.' },
)
export type SecretProjection = Static<typeof SecretProjection>

/** Fields of the Pod as part of a projected volume. */
export const DownwardAPIProjection = Struct(
  'core.v1.DownwardAPIProjection',
  {
    items: field(1, ListOf(DownwardAPIVolumeFile), 'The files.'),
  },
  { description: 'Fields of the Pod, as files of a projected volume.' },
)
export type DownwardAPIProjection = Static<typeof DownwardAPIProjection>

/** A token of the service account of the Pod as part of a projected volume. */
export const ServiceAccountTokenProjection = Struct(
  'core.v1.ServiceAccountTokenProjection',
  {
    audience: field(1, Text(), 'Who the token is for. The API server by default.'),
    expirationSeconds: kept(2, Int64(), {
      description: 'Requested lifetime in seconds, at least 600. 3600 by default.',
      default: 3600,
    }),
    path: required(3, Text(), 'Path of the file.'),
  },
  { description: "A token of the Pod's account, as a file that is renewed before it expires." },
)
export type ServiceAccountTokenProjection = Static<typeof ServiceAccountTokenProjection>

/** Certificates that are trusted in the cluster, as part of a projected volume. */
export const ClusterTrustBundleProjection = Struct(
  'core.v1.ClusterTrustBundleProjection',
  {
    name: kept(1, Text(), 'Name of a ClusterTrustBundle. Excludes signerName and labelSelector.'),
    signerName: kept(2, Text(), 'Signer of the bundles. Excludes name.'),
    labelSelector: kept(3, LabelSelector, 'Labels of the bundles of the signer. None by default.'),
    optional: kept(5, Bool(), 'Whether the bundles may be missing.'),
    path: required(4, Text(), 'Path of the file.'),
  },
  { description: 'Certificates that are trusted in the cluster, as a file of a projected volume.' },
)
export type ClusterTrustBundleProjection = Static<typeof ClusterTrustBundleProjection>

/** A certificate of the Pod as part of a projected volume. */
export const PodCertificateProjection = Struct(
  'core.v1.PodCertificateProjection',
  {
    signerName: field(1, Text(), {
      description: 'Who signs the certificate.',
      revised: [{ since: '1.34', to: { isRequired: true } }],
    }),
    keyType: field(2, Text(), {
      description: 'Kind of the key: RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519.',
      revised: [{ since: '1.34', to: { isRequired: true } }],
    }),
    maxExpirationSeconds: kept(3, Int32(), 'How long the certificate may be valid, in seconds. 86400 by default.'),
    credentialBundlePath: field(4, Text(), 'Path of a file with the key and the certificates.'),
    keyPath: field(5, Text(), 'Path of a file with the key.'),
    certificateChainPath: field(6, Text(), 'Path of a file with the certificates.'),
    userAnnotations: field(7, StringMap(), {
      description: 'Additional data for the signer.',
      since: '1.35',
    }),
  },
  { description: 'A key and a certificate of the Pod, as files that are renewed before they expire.' },
)
export type PodCertificateProjection = Static<typeof PodCertificateProjection>

/** One part of a projected volume: exactly one field is set. */
export const VolumeProjection = Struct(
  'core.v1.VolumeProjection',
  {
    secret: kept(1, SecretProjection, 'A Secret.'),
    downwardAPI: kept(2, DownwardAPIProjection, 'Fields of the Pod.'),
    configMap: kept(3, ConfigMapProjection, 'A ConfigMap.'),
    serviceAccountToken: kept(4, ServiceAccountTokenProjection, "A token of the Pod's account."),
    clusterTrustBundle: kept(5, ClusterTrustBundleProjection, {
      description: 'Certificates that are trusted in the cluster.',
      since: '1.29',
      gate: 'ClusterTrustBundleProjection',
    }),
    podCertificate: kept(6, PodCertificateProjection, {
      description: 'A key and a certificate of the Pod.',
      since: '1.34',
      gate: 'PodCertificateRequest',
    }),
  },
  { description: 'A source of a projected volume. Exactly one is given.' },
)
export type VolumeProjection = Static<typeof VolumeProjection>

/** Several sources as files in one directory. */
export const ProjectedVolumeSource = Struct(
  'core.v1.ProjectedVolumeSource',
  {
    sources: embedded(1, ListOf(VolumeProjection), 'The sources.'),
    defaultMode: kept(2, Int32(), {
      description: 'Permissions of the files, 0 to 0777. 0644 by default.',
      default: 0o644,
    }),
  },
  { description: 'Several sources in one folder.' },
)
export type ProjectedVolumeSource = Static<typeof ProjectedVolumeSource>
