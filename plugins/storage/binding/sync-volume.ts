import type { PersistentVolume } from '../persistent-volumes/schema.js'
import { unbind } from './bind.js'
import { type BindingContext, warn } from './binding-context.js'
import { isAnnotated } from './binding-state.js'
import { isSameMode } from './match-volume.js'
import { setVolumePhase } from './write-phase.js'

/** Applies the reclaim policy to a volume whose claim was deleted. */
async function reclaim(context: BindingContext, volume: PersistentVolume): Promise<void> {
  const isReleased = volume.status?.phase === 'Released' || volume.status?.phase === 'Failed'
  const released = isReleased ? volume : await setVolumePhase(context, volume, 'Released')
  const problem = reclaimProblem(released, context)
  if (!problem || released.status?.phase === 'Failed') return
  const failed = await setVolumePhase(context, released, 'Failed', problem.message)
  await warn(context, failed, problem.reason, problem.message)
}

/** Why the volume cannot be reclaimed by its policy; undefined when it is retained, or its provisioner deletes it. */
function reclaimProblem({ metadata, spec }: PersistentVolume, { names }: BindingContext) {
  const name = metadata?.name ?? ''
  switch (spec?.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return undefined
    case 'Delete': {
      const provisioner = metadata?.annotations?.[names.provisionedBy] ?? ''
      // The provisioner watches volumes and deletes released ones.
      if (provisioner !== '' && !provisioner.startsWith(names.ownProvisionerPrefix)) return undefined
      const message = `error getting deleter volume plugin for volume "${name}": no volume plugin matched`
      return { reason: 'VolumeFailedDelete', message }
    }
    case 'Recycle':
      return { reason: 'VolumeFailedRecycle', message: 'No recycler plugin found for the volume!' }
    default:
      return {
        reason: 'VolumeUnknownReclaimPolicy',
        message: 'Volume has unrecognized PersistentVolumeReclaimPolicy',
      }
  }
}

/** Updates the phase of one volume from the claim that it names. Binding itself starts from the claim. */
export async function syncVolume(context: BindingContext, volume: PersistentVolume): Promise<void> {
  const ref = volume.spec?.claimRef
  if (!ref?.uid) {
    // Free, or reserved by a user for a future claim.
    await setVolumePhase(context, volume, 'Available')
    return
  }
  const claim = await findClaim(context, ref.namespace ?? '', ref.name ?? '', ref.uid)
  if (!claim) return reclaim(context, volume)
  const name = volume.metadata?.name
  const { volumeName } = claim.spec ?? {}
  if (volumeName === name) {
    await setVolumePhase(context, volume, 'Bound')
  } else if (!volumeName) {
    if (!isSameMode(volume, claim)) {
      const message = `Cannot bind PersistentVolume "${name}" to requested PersistentVolumeClaim "${ref.name}" due to incompatible volumeMode.`
      await warn(context, volume, 'VolumeMismatch', message)
      await warn(context, claim, 'VolumeMismatch', message)
    }
  } else if (
    isAnnotated(volume, context.names.provisionedBy) &&
    volume.spec?.persistentVolumeReclaimPolicy === 'Delete'
  ) {
    // Provisioned for this claim, which was bound to another volume meanwhile.
    return reclaim(context, volume)
  } else return unbind(context, volume)
}

/** The claim with this uid. The cache may be stale, and releasing a volume cannot be undone. */
async function findClaim(context: BindingContext, namespace: string, name: string, uid: string) {
  const cached = context.claim(namespace, name)
  const found = cached?.metadata?.uid === uid ? cached : await context.claims.in(namespace).find(name)
  return found?.metadata?.uid === uid ? found : undefined
}
