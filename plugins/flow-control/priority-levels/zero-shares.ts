import type { PriorityLevel } from './schema.js'

/**
 * The conversion of v1beta3, in which 0 shares mean that they are not set and get the default. An annotation marks those that are
 * really 0, so that a client of that version can read and write such a level. It exists in that version only.
 */
export const markZeroShares = (annotation: string) => ({
  toStorage: (level: PriorityLevel): PriorityLevel => {
    const { annotations = {} } = level.metadata ?? {}
    if (!Object.hasOwn(annotations, annotation)) return level
    const { [annotation]: _, ...others } = annotations
    const { annotations: __, ...metadata } = level.metadata ?? {}
    const hasOthers = Object.keys(others).length > 0
    return { ...level, metadata: hasOthers ? { ...metadata, annotations: others } : metadata }
  },
  fromStorage: (level: PriorityLevel): PriorityLevel => {
    const { limited } = level.spec ?? {}
    if (!limited || limited.nominalConcurrencyShares) return level
    const { metadata } = level
    return { ...level, metadata: { ...metadata, annotations: { ...metadata?.annotations, [annotation]: '' } } }
  },
})
