import type { StorageNames } from '../names.js'
import type { StorageClass } from './schema.js'

/** Whether it is the class of claims that name none. */
export const isDefaultClass = (
  { metadata }: StorageClass,
  { defaultClassAnnotations }: Pick<StorageNames, 'defaultClassAnnotations'>,
): boolean => defaultClassAnnotations.some(annotation => metadata?.annotations?.[annotation] === 'true')

/** The class that claims without one get: the newest of those that are marked; of the same age, the first by name. */
export function newestClass(defaults: readonly StorageClass[]): StorageClass | undefined {
  const timeOf = ({ metadata }: StorageClass) => Date.parse(metadata?.creationTimestamp ?? '') || 0
  const nameOf = ({ metadata }: StorageClass) => metadata?.name ?? ''
  return [...defaults].sort((one, other) => timeOf(other) - timeOf(one) || (nameOf(one) < nameOf(other) ? -1 : 1))[0]
}
