import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'
import type { BindingContext } from './binding-context.js'
import { annotated, isAnnotated, isBoundTo } from './binding-state.js'
import { setClaimPhase, setVolumePhase } from './write-phase.js'

/**
 * Binds a volume and a claim to each other in four writes: the claim in the volume, the phase of the volume, the volume
 * in the claim, the phase of the claim. Each write that was already made is skipped, so the next attempt completes an
 * interrupted binding. The loser of a race for a volume fails at the first write, which carries the resource version of
 * the volume.
 */
export async function bind(
  context: BindingContext,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Promise<void> {
  const taken = await setVolumePhase(context, await setClaimRef(context, volume, claim), 'Bound')
  const bound = await setVolumeName(context, claim, taken)
  await setClaimPhase(context, bound, 'Bound', taken)
}

async function setClaimRef(
  { names, volumes }: BindingContext,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Promise<PersistentVolume> {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata ?? {}
  const isOurs = !isBoundTo(volume, claim)
  if (!isOurs && volume.spec?.claimRef?.uid === uid) return volume
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion }
  const changed = { ...volume, spec: { ...volume.spec, claimRef } }
  return volumes.update(isOurs ? annotated(changed, { [names.boundByController]: 'yes' }) : changed)
}

async function setVolumeName(
  { names, claims }: BindingContext,
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
): Promise<PersistentVolumeClaim> {
  const volumeName = volume.metadata?.name ?? ''
  const isOurs = claim.spec?.volumeName !== volumeName
  if (!isOurs && isAnnotated(claim, names.bindCompleted)) return claim
  return claims.update(
    annotated(
      { ...claim, spec: { ...claim.spec, volumeName } },
      { [names.bindCompleted]: 'yes', ...(isOurs ? { [names.boundByController]: 'yes' } : {}) },
    ),
  )
}

/**
 * Unbinds a volume from a claim that is bound to another one. A claimRef that a user wrote is kept, without the uid.
 */
export async function unbind(context: BindingContext, volume: PersistentVolume): Promise<void> {
  const { names, volumes } = context
  const { claimRef, ...spec } = volume.spec ?? {}
  if (!isAnnotated(volume, names.boundByController)) {
    const { uid: _, ...prepared } = claimRef ?? {}
    const kept = await volumes.update({ ...volume, spec: { ...spec, claimRef: prepared } })
    await setVolumePhase(context, kept, 'Available')
    return
  }
  const { [names.boundByController]: _, ...annotations } = volume.metadata?.annotations ?? {}
  const freed = await volumes.update({ ...volume, metadata: { ...volume.metadata, annotations }, spec })
  await setVolumePhase(context, freed, 'Available')
}
