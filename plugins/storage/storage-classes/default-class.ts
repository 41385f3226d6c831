import type { StorageNames } from '../names.js'
import type { StorageClass } from './schema.js'

/** Is it the class of claims that name none? */
export const isDefaultClass = (
  { metadata }: StorageClass,
  { defaultClassAnnotations }: Pick<StorageNames, 'defaultClassAnnotations'>,
): boolean => defaultClassAnnotations.some(annotation => metadata?.annotations?.[annotation] === 'true')
