import { isDeepStrictEqual } from 'node:util'
import type { PersistentVolumeClaim, PersistentVolumeClaimStatus } from '../persistent-volume-claims/schema.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'
import type { BindingContext } from './binding-context.js'

/** Writes the phase of a volume, unless it is unchanged. */
export async function setVolumePhase(
  context: BindingContext,
  volume: PersistentVolume,
  phase: 'Available' | 'Bound' | 'Released' | 'Failed',
  message?: string,
): Promise<PersistentVolume> {
  if (volume.status?.phase === phase && (message === undefined || volume.status.message === message)) return volume
  const { message: _, ...before } = volume.status ?? {}
  const status = { ...before, phase, ...(message ? { message } : {}) }
  return context.volumes.updateSubresource('status', { ...volume, status })
}

/** Writes the phase of a claim and the properties of its volume, unless they are unchanged. */
export async function setClaimPhase(
  context: BindingContext,
  claim: PersistentVolumeClaim,
  phase: 'Pending' | 'Bound' | 'Lost',
  volume?: PersistentVolume,
): Promise<PersistentVolumeClaim> {
  const { accessModes: _, capacity, currentVolumeAttributesClassName: attributes, ...before } = claim.status ?? {}
  const status: PersistentVolumeClaimStatus = { ...before, phase }
  if (volume) {
    status.accessModes = volume.spec?.accessModes ?? []
    // Once bound, the size is written by the resizer of the volume.
    const size = before.phase === phase ? capacity : volume.spec?.capacity
    if (size) status.capacity = size
    // So are its attributes.
    const current = before.phase === phase ? attributes : volume.spec?.volumeAttributesClassName
    if (current !== undefined) status.currentVolumeAttributesClassName = current
  }
  if (isDeepStrictEqual(status, claim.status)) return claim
  return context.claims.updateSubresource('status', { ...claim, status })
}
