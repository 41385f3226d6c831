import { defineDifference } from 'orch/sdk'

/** Differences of this plugin between versions. */
export const classScopes = defineDifference({
  name: 'quotas-by-class-of-volume-attributes',
  since: '1.33',
  description: 'A quota may be limited to claims with certain VolumeAttributesClasses.',
  knownFrom: 'source',
  additive: true,
})

export const limitsOfSums = defineDifference({
  name: 'limit-ranges-check-sums',
  since: '1.28',
  description:
    'A limit range for Pods checks the sum over all containers that set a resource, including sidecars; before, there was no sum if one container did not set it.',
  knownFrom: 'source',
})

export const limitsOfResizes = defineDifference({
  name: 'limit-ranges-check-resizes',
  since: '1.32',
  description: 'Limit ranges also apply to resized Pods, and to Pod-level resources.',
  knownFrom: 'source',
  additive: true,
})

export const quotaAgeIsLast = defineDifference({
  name: 'age-of-quotas-is-the-last-column',
  since: '1.33',
  description: 'The Table of quotas shows the age last; before, right after the name.',
  knownFrom: 'source',
})

export const warnsAboutRequests = defineDifference({
  name: 'warnings-about-requests-above-limits-in-quotas',
  since: '1.35',
  description: 'A new quota that allows more requests than limits of a resource causes a warning.',
  knownFrom: 'source',
  additive: true,
})

export const differences = [quotaAgeIsLast, classScopes, limitsOfSums, limitsOfResizes, warnsAboutRequests]
