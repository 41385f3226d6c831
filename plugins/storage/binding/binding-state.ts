import type { ObjectMeta } from 'orch/sdk'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'

/** Whether the volume names this claim. A claimRef without a uid was written by a user, for any claim of that name. */
export function isBoundTo({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const ref = spec?.claimRef
  if (!ref || ref.name !== metadata?.name || ref.namespace !== metadata?.namespace) return false
  return !ref.uid || ref.uid === metadata?.uid
}

export const isAnnotated = ({ metadata }: { metadata?: ObjectMeta }, annotation: string): boolean =>
  metadata?.annotations?.[annotation] !== undefined

/** A copy of the object with an annotation. */
export const annotated = <T extends { metadata?: ObjectMeta }>(object: T, annotations: Record<string, string>): T => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata?.annotations, ...annotations } },
})

/** The key `namespace/name`. */
export const claimKey = ({ metadata }: PersistentVolumeClaim): string =>
  `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`
