import type { Vendor } from 'orch/sdk'
import { oldNodeLabels, type PersistentVolumeClaimSpec } from 'orch/sdk/core'
import { parseQuantity, quantityValue } from 'orch/sdk/validation'
import {
  fractionWarnings,
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
    ...annotation(classAnnotation, oldClass),
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
  if (!level.has(fractionWarnings)) return []
  return [
    ...(metadata?.annotations?.[classAnnotation] === undefined
      ? []
      : [`metadata.annotations[${classAnnotation}]: ${oldClass}`]),
    ...fractionsIn(spec),
  ]
}

const fractionsIn = ({ resources }: PersistentVolumeClaimSpec): string[] =>
  (['requests', 'limits'] as const).flatMap(list => {
    const amount = resources?.[list]?.['storage']
    return amount === undefined || isWhole(amount)
      ? []
      : [
          `spec.resources.${list}[storage]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`,
        ]
  })

const maxInt64 = 2n ** 63n - 1n
/**
 * Counted in thousandths of a byte, in 64 bits as by the reference: an amount that overflows counts as whole, and of a
 * number that does not fit at all the lowest 64 bits count.
 */
function isWhole(amount: string): boolean {
  const quantity = parseQuantity(amount)
  const thousandths = quantityValue(quantity, -3)
  if (quantity.unscaled > maxInt64) return BigInt.asIntN(64, thousandths) % 1000n === 0n
  return thousandths > maxInt64 || thousandths % 1000n === 0n
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
