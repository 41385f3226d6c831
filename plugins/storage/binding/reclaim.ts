import type { PersistentVolume } from '../persistent-volumes/schema.js'
import { type BindingContext, warn } from './binding-context.js'
import { setVolumePhase } from './write-phase.js'

/** The claim of a volume is gone: what becomes of the volume. */
export async function reclaim(context: BindingContext, volume: PersistentVolume): Promise<void> {
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
