import type { PersistentVolume } from '../persistent-volumes/schema.js'
import { unbind } from './bind.js'
import { type BindingContext, warn } from './binding-context.js'
import { isAnnotated } from './binding-state.js'
import { isSameMode } from './match-volume.js'
import { setVolumePhase } from './write-phase.js'

/** The claim of a volume is gone: what becomes of the volume. */
async function reclaim(context: BindingContext, volume: PersistentVolume): Promise<void> {
  const isOver = volume.status?.phase === 'Released' || volume.status?.phase === 'Failed'
  const released = isOver ? volume : await setVolumePhase(context, volume, 'Released')
  const problem = problemOf(released, context)
  if (!problem || released.status?.phase === 'Failed') return
  const failed = await setVolumePhase(context, released, 'Failed', problem.message)
  await warn(context, failed, problem.reason, problem.message)
}

/** What keeps the volume from being reclaimed as its policy says; undefined when it is kept, or its maker deletes it. */
function problemOf({ metadata, spec }: PersistentVolume, { names }: BindingContext) {
  const name = metadata?.name ?? ''
  switch (spec?.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return undefined
    case 'Delete': {
      const maker = metadata?.annotations?.[names.provisionedBy] ?? ''
      // Whoever made the volume watches volumes and deletes what is released.
      if (maker !== '' && !maker.startsWith(names.ownProvisionerPrefix)) return undefined
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

/** Brings the phase of one volume up to date with the claim it names. Binding itself is started from the claim. */
export async function syncVolume(context: BindingContext, volume: PersistentVolume): Promise<void> {
  const ref = volume.spec?.claimRef
  if (!ref?.uid) {
    // Free, or prepared by a user for a claim to come.
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
    // Made for this claim, which found another volume meanwhile.
    return reclaim(context, volume)
  } else return unbind(context, volume)
}

/** The claim with this uid. The cache may be behind, and giving a volume back cannot be taken back. */
async function findClaim(context: BindingContext, namespace: string, name: string, uid: string) {
  const cached = context.claim(namespace, name)
  const found = cached?.metadata?.uid === uid ? cached : await context.claims.in(namespace).find(name)
  return found?.metadata?.uid === uid ? found : undefined
}
