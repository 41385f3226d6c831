import type { ObjectMeta } from 'orch/sdk'
import type { StorageNames } from './names.js'

type Names = Pick<StorageNames, 'classAnnotation'>
interface Classed {
  readonly metadata?: ObjectMeta
  readonly spec?: { readonly storageClassName?: string }
}

/** The class of a claim or a volume; the annotation takes precedence over the field. Empty when there is none. */
export const classOf = ({ metadata, spec }: Classed, { classAnnotation }: Names): string =>
  metadata?.annotations?.[classAnnotation] ?? spec?.storageClassName ?? ''

/** Whether a class is set. An empty name counts: it means no class. */
export const namesClass = ({ metadata, spec }: Classed, { classAnnotation }: Names): boolean =>
  metadata?.annotations?.[classAnnotation] !== undefined || spec?.storageClassName !== undefined
