import type { ObjectMeta, Vendor } from 'orch/sdk'
import { isDns1123Label } from 'orch/sdk/validation'
import { jobNameWarnings, largeJobWarnings } from '../differences.js'
import type { JobSpec } from './schema.js'

/** The name is used in names of Pods and hosts. */
export const nameWarnings = (name = '', { level }: Vendor): string[] => {
  const problems = level.has(jobNameWarnings) ? isDns1123Label(name) : []
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      ]
}

const manyCompletions = 100_000
const highParallelism = 10_000
/** Whether an update leaves the spec as it is: then nothing is warned about. */
export const isSameSpec = (sent: ObjectMeta | undefined, stored: { metadata?: ObjectMeta } | undefined): boolean =>
  stored !== undefined && sent?.generation === stored.metadata?.generation

/** The succeeded indexes must fit into the status. */
export const sizeWarnings = (spec: JobSpec | undefined, field: string, { level }: Vendor): string[] =>
  level.has(largeJobWarnings) &&
  spec?.completionMode === 'Indexed' &&
  (spec.completions ?? 0) > manyCompletions &&
  (spec.parallelism ?? 0) > highParallelism
    ? [
        `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, the succeeded indexes may not fit into the status when many fail`,
      ]
    : []
