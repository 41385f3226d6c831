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

export const allocatedStorage = defineDifference({
  name: 'quotas-count-allocated-storage',
  since: '1.32',
  description: 'A claim uses the storage that it was allocated if it now requests less.',
  knownFrom: 'gate',
})

export const chargedScopeChanges = defineDifference({
  name: 'quotas-charge-pods-that-get-a-deadline',
  since: '1.33',
  description: 'A Pod that gets a deadline is charged to the quotas for Pods with a deadline.',
  knownFrom: 'source',
})

export const quotasOfDevices = defineDifference({
  name: 'quotas-by-device-class',
  since: '1.34',
  description: 'A quota may limit how many devices of a class resource claims ask for.',
  knownFrom: 'gate',
  additive: true,
})

export const podsAskForDeviceClasses = defineDifference({
  name: 'quotas-of-pods-by-device-class',
  since: '1.35',
  description: 'A quota may limit how many devices Pods request under the name of a device class.',
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

export const differences = [
  quotaAgeIsLast,
  classScopes,
  limitsOfSums,
  limitsOfResizes,
  allocatedStorage,
  chargedScopeChanges,
  quotasOfDevices,
  podsAskForDeviceClasses,
  warnsAboutRequests,
]
