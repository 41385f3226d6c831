import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const classScopes = defineDifference({
  name: 'quotas-by-class-of-volume-attributes',
  since: '1.33',
  description: 'A quota may be for claims of some classes of volume attributes.',
  knownFrom: 'source',
  additive: true,
})

export const limitsOfSums = defineDifference({
  name: 'limit-ranges-judge-sums',
  since: '1.28',
  description:
    'A range for Pods judges the sum of what containers name, sidecars with the others; before, a resource that one container does not name had no sum.',
  knownFrom: 'source',
})

export const limitsOfResizes = defineDifference({
  name: 'limit-ranges-judge-resizes',
  since: '1.32',
  description: 'Ranges judge a Pod that is resized, and resources of a whole Pod.',
  knownFrom: 'source',
  additive: true,
})

export const quotaAgeIsLast = defineDifference({
  name: 'age-of-quotas-is-the-last-column',
  since: '1.33',
  description: 'A Table of quotas shows their age last; before, right after the name.',
  knownFrom: 'source',
})

export const differences = [quotaAgeIsLast, classScopes, limitsOfSums, limitsOfResizes]
