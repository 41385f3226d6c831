import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { waitForFirstConsumer } from '../storage-classes/schema.js'
import { classOf, namesClass } from '../volume-class.js'
import { bind } from './bind.js'
import { type BindingContext, inform, warn } from './binding-context.js'
import { isAnnotated, isBoundTo } from './binding-state.js'
import { findVolumeFor, mismatchReason } from './match-volume.js'
import { requestVolume } from './provision.js'
import { setClaimPhase } from './write-phase.js'

/** Advances one claim: binds it to a volume, or requests one from a provisioner. */
export function syncClaim(context: BindingContext, claim: PersistentVolumeClaim): Promise<void> {
  if (isAnnotated(claim, context.names.bindCompleted)) return syncBound(context, claim)
  // A claim that is being deleted needs no volume.
  if (claim.metadata?.deletionTimestamp) return Promise.resolve()
  return claim.spec?.volumeName ? syncNamed(context, claim, claim.spec.volumeName) : syncUnbound(context, claim)
}

/** The claim names no volume: find one. */
async function syncUnbound(context: BindingContext, claim: PersistentVolumeClaim): Promise<void> {
  const { names } = context
  const className = classOf(claim, names)
  const isWaiting = context.storageClass(className)?.volumeBindingMode === waitForFirstConsumer
  const volume = findVolumeFor(claim, context.allVolumes(), names, isWaiting)
  if (volume) return bind(context, volume, claim)
  const defaultClass = namesClass(claim, names) ? undefined : context.defaultClass()?.metadata?.name
  if (defaultClass) {
    // The change enqueues the claim again.
    await context.claims.update({ ...claim, spec: { ...claim.spec, storageClassName: defaultClass } })
    return
  }
  const pending = await setClaimPhase(context, claim, 'Pending')
  if (isWaiting && !isAnnotated(claim, names.selectedNode))
    await inform(context, claim, 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding')
  else if (className !== '') await requestVolume(context, pending)
  else
    await inform(
      context,
      claim,
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    )
}

/** The claim names a volume: it gets that one or waits for it. */
async function syncNamed(context: BindingContext, claim: PersistentVolumeClaim, volumeName: string): Promise<void> {
  const volume = context.volume(volumeName)
  if (volume && isBoundTo(volume, claim)) return bind(context, volume, claim)
  const problem = volume && (volume.spec?.claimRef ? undefined : mismatchReason(volume, claim, context.names))
  if (volume && !volume.spec?.claimRef && !problem) return bind(context, volume, claim)
  await setClaimPhase(context, claim, 'Pending')
  if (problem)
    await warn(context, claim, 'VolumeMismatch', `Cannot bind to requested volume "${volumeName}": ${problem}`)
  else if (volume)
    await warn(context, claim, 'FailedBinding', `volume "${volumeName}" already bound to a different claim.`)
}

/** The claim was bound: either it still is, or its data is lost. */
async function syncBound(context: BindingContext, claim: PersistentVolumeClaim): Promise<void> {
  const markLost = async (reason: string, message: string) => {
    if (claim.status?.phase === 'Lost') return
    await setClaimPhase(context, claim, 'Lost')
    await warn(context, claim, reason, message)
  }
  const volumeName = claim.spec?.volumeName
  if (!volumeName)
    return markLost('ClaimLost', 'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!')
  // The cache may be stale, and this cannot be undone.
  const volume = context.volume(volumeName) ?? (await context.volumes.find(volumeName))
  if (!volume) return markLost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!')
  const ref = volume.spec?.claimRef
  if (!ref || ref.uid === claim.metadata?.uid) return bind(context, volume, claim)
  return markLost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly')
}
