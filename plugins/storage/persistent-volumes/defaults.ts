import { roundResourceList } from 'orch/sdk'
import type { PersistentVolume } from './schema.js'

/** What a volume says only when it is an object of its own, not inside an attachment. */
export function fillVolume({ spec }: PersistentVolume): void {
  if (spec === undefined) return
  spec.persistentVolumeReclaimPolicy ||= 'Retain'
  spec.volumeMode ??= 'Filesystem'
  roundResourceList(spec.capacity)
}
