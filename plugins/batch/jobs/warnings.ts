import type { Vendor } from 'orch/sdk'
import { isDns1123Label } from 'orch/sdk/validation'
import { jobNameWarnings, largeJobWarnings } from '../differences.js'
import type { JobSpec } from './schema.js'

/** Names of Pods and hosts are made of the name. */
export const nameWarnings = (name = '', { level }: Vendor): string[] => {
  const problems = level.has(jobNameWarnings) ? isDns1123Label(name) : []
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      ]
}

const manyCompletions = 100_000
const manyAtATime = 10_000
/** The numbers of Pods that are done must fit into the status. */
export const sizeWarnings = (spec: JobSpec | undefined, field: string, { level }: Vendor): string[] =>
  level.has(largeJobWarnings) &&
  spec?.completionMode === 'Indexed' &&
  (spec.completions ?? 0) > manyCompletions &&
  (spec.parallelism ?? 0) > manyAtATime
    ? [
        `${field}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, the numbers of those that are done may not be kept when many fail`,
      ]
    : []
