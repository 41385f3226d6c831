import type { Vendor } from 'orch/sdk'
import { claimFractionWarnings, claimWarnings, oldNodeLabels } from 'orch/sdk/core'
import type { CSIStorageCapacity } from './csi-storage-capacities/schema.js'
import {
  classAnnotationWarnings,
  mountOptionWarnings,
  recycleWarnings,
  sourceWarnings,
  volumeWarnings,
} from './differences.js'
import type { StorageNames } from './names.js'
import type { PersistentVolumeClaim } from './persistent-volume-claims/schema.js'
import type { PersistentVolume } from './persistent-volumes/schema.js'
import type { StorageClass } from './storage-classes/schema.js'

const oldClass = 'deprecated since v1.8; use "storageClassName" attribute instead'
const oldMountOptions = 'deprecated since v1.31; use "mountOptions" attribute instead'
const oldSources = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
} as const

/** Warnings about deprecated parts of a volume. */
export function warningsAboutVolume(
  { metadata, spec = {} }: PersistentVolume,
  { classAnnotation, mountOptionsAnnotation }: StorageNames,
  vendor: Vendor,
): string[] {
  const { level } = vendor
  if (!level.has(volumeWarnings)) return []
  const old = oldNodeLabels(vendor)
  const annotation = (key: string, text: string) =>
    metadata?.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${text}`]
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? []
  return [
    ...(level.has(classAnnotationWarnings) ? annotation(classAnnotation, oldClass) : []),
    ...(level.has(mountOptionWarnings) ? annotation(mountOptionsAnnotation, oldMountOptions) : []),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle' && level.has(recycleWarnings)
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...terms.flatMap(({ matchExpressions = [] }, i) =>
      matchExpressions.flatMap(({ key }, j) =>
        Object.hasOwn(old, key)
          ? [`spec.nodeAffinity.required.nodeSelectorTerms[${i}].matchExpressions[${j}].key: ${key} is ${old[key]}`]
          : [],
      ),
    ),
    ...(level.has(sourceWarnings)
      ? Object.entries(oldSources)
          .filter(([source]) => spec[source as keyof typeof oldSources] !== undefined)
          .map(([source, text]) => `spec.${source === 'storageos' ? 'storageOS' : source}: ${text}`)
      : []),
  ]
}

/** Warnings about deprecated and invalid parts of a claim. */
export function warningsAboutClaim(
  { metadata, spec = {} }: PersistentVolumeClaim,
  { classAnnotation }: StorageNames,
  { level }: Vendor,
): string[] {
  const hasOldClass = metadata?.annotations?.[classAnnotation] !== undefined
  return [
    ...(hasOldClass && level.has(classAnnotationWarnings)
      ? [`metadata.annotations[${classAnnotation}]: ${oldClass}`]
      : []),
    ...(level.has(claimWarnings) ? claimFractionWarnings(spec, 'spec') : []),
  ]
}

/** Warnings about old labels of nodes in the topologies of a class. */
export function warningsAboutClass({ allowedTopologies = [] }: StorageClass, vendor: Vendor): string[] {
  if (!vendor.level.has(volumeWarnings)) return []
  const old = oldNodeLabels(vendor)
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, i) =>
    matchLabelExpressions.flatMap(({ key }, j) =>
      Object.hasOwn(old, key) ? [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${key} is ${old[key]}`] : [],
    ),
  )
}

/** Warnings about old labels of nodes in the topology of a capacity. */
export function warningsAboutCapacity({ nodeTopology }: CSIStorageCapacity, vendor: Vendor): string[] {
  if (!nodeTopology || !vendor.level.has(volumeWarnings)) return []
  const old = oldNodeLabels(vendor)
  const { matchExpressions = [], matchLabels = {} } = nodeTopology
  return [
    ...matchExpressions.flatMap(({ key }, i) =>
      Object.hasOwn(old, key) ? [`nodeTopology.matchExpressions[${i}].key: ${key} is ${old[key]}`] : [],
    ),
    ...Object.keys(matchLabels).flatMap(label =>
      Object.hasOwn(old, label) ? [`nodeTopology.matchLabels.${label}: ${old[label]}`] : [],
    ),
  ]
}
