import { compareAmountTexts } from 'orch/sdk/core'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import type { StorageNames } from '../names.js'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'
import { classOf } from '../volume-class.js'
import { isBoundTo } from './binding-state.js'

const sizeOf = ({ spec }: PersistentVolume) => spec?.capacity?.['storage'] ?? '0'
const requestOf = ({ spec }: PersistentVolumeClaim) => spec?.resources?.requests?.['storage'] ?? '0'
const modesOf = ({ spec }: PersistentVolume) => spec?.accessModes ?? []
const isSmaller = (left: PersistentVolume, right: PersistentVolume) =>
  compareAmountTexts(sizeOf(left), sizeOf(right)) < 0

/** Why a claim cannot bind to the volume that it names; undefined when it can. */
export function mismatchReason(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
  names: StorageNames,
): string | undefined {
  if (volume.metadata?.deletionTimestamp) return `the volume is marked for deletion "${volume.metadata.name ?? ''}"`
  if (!isLargeEnough(volume, claim)) return 'requested PV is too small'
  if (classOf(volume, names) !== classOf(claim, names)) return 'storageClassName does not match'
  if (!hasAttributes(volume, claim)) return 'volumeAttributesClassName does not match'
  if (!isSameMode(volume, claim)) return 'incompatible volumeMode'
  return hasModes(volume, claim) ? undefined : 'incompatible accessMode'
}

const isLargeEnough = (volume: PersistentVolume, claim: PersistentVolumeClaim) =>
  compareAmountTexts(sizeOf(volume), requestOf(claim)) >= 0
export const isSameMode = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean =>
  (volume.spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem')
const hasAttributes = (volume: PersistentVolume, claim: PersistentVolumeClaim) =>
  (volume.spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '')
function hasModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const offered = new Set<string>(modesOf(volume))
  return (claim.spec?.accessModes ?? []).every(mode => offered.has(mode))
}

/**
 * The volume for a claim that names none: one that already names the claim, or else the smallest free one that fits.
 * Volumes with fewer access modes are preferred, so that the more capable ones stay free. A claim that waits for its
 * first consumer gets only a volume that names it: the scheduler decides which one.
 */
export function findVolumeFor(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  names: StorageNames,
  isWaiting: boolean,
): PersistentVolume | undefined {
  const isSelected = claim.spec?.selector ? labelSelectorMatcher(claim.spec.selector) : () => true
  const wantedClass = classOf(claim, names)
  const possible = volumes.filter(
    volume =>
      hasModes(volume, claim) &&
      isLargeEnough(volume, claim) &&
      isSameMode(volume, claim) &&
      hasAttributes(volume, claim) &&
      !volume.metadata?.deletionTimestamp,
  )
  const prepared = possible.find(volume => isBoundTo(volume, claim))
  if (prepared || isWaiting) return prepared
  const isFree = (volume: PersistentVolume) =>
    !volume.spec?.claimRef &&
    volume.status?.phase === 'Available' &&
    isSelected(volume.metadata?.labels) &&
    classOf(volume, names) === wantedClass
  return possible.filter(isFree).reduce<PersistentVolume | undefined>((best, volume) => {
    if (!best) return volume
    const difference = modesOf(volume).length - modesOf(best).length
    return difference < 0 || (difference === 0 && isSmaller(volume, best)) ? volume : best
  }, undefined)
}
