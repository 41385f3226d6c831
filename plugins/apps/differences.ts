import { defineDifference } from 'orch/sdk'

export const claimRetention = defineDifference({
  name: 'claim-retention-of-stateful-sets',
  since: '1.27',
  additive: true,
  description:
    'Stateful sets have a retention policy for claims that are no longer needed; before, the field is dropped.',
  knownFrom: 'gate',
})

export const mutableHistoryLimit = defineDifference({
  name: 'revision-history-limit-of-stateful-sets-is-mutable',
  since: '1.33',
  additive: true,
  description: 'revisionHistoryLimit of a stateful set is mutable.',
  knownFrom: 'source',
})

export const checkedServiceNames = defineDifference({
  name: 'service-names-of-stateful-sets-are-checked',
  since: '1.33',
  description:
    'serviceName of a new stateful set must be a DNS label, and a negative revisionHistoryLimit causes a warning.',
  knownFrom: 'source',
})

export const checkedSetTemplates = defineDifference({
  name: 'templates-of-stateful-sets-are-checked',
  since: '1.34',
  description: 'Pod and claim templates of a stateful set are validated like those of other types.',
  knownFrom: 'source',
})

export const checkedLikeNew = defineDifference({
  name: 'updated-stateful-sets-are-checked-like-new-ones',
  until: '1.26',
  description: 'Errors in the metadata of an updated stateful set are reported once more, as those of a new one.',
  knownFrom: 'source',
})

export const indexedSetPods = defineDifference({
  name: 'pods-of-stateful-sets-have-index-labels',
  since: '1.28',
  additive: true,
  description: 'The index of a Pod of a stateful set is also a label.',
  knownFrom: 'gate',
})

export const controlledClaims = defineDifference({
  name: 'claims-of-stateful-sets-have-controllers',
  since: '1.28',
  additive: true,
  description:
    'A stateful set or Pod whose claims are deleted with it is their controller, and claims are watched; before, it is a plain owner.',
  knownFrom: 'source',
})

export const endedSetPods = defineDifference({
  name: 'stateful-sets-replace-succeeded-pods',
  since: '1.27',
  additive: true,
  description:
    'A stateful set replaces succeeded Pods as well as failed ones, creates missing claims of its pending Pods, and completes an update when all desired Pods exist.',
  knownFrom: 'source',
})

export const announcedReplacements = defineDifference({
  name: 'stateful-sets-record-failed-pods',
  until: '1.27',
  description: 'A stateful set that replaces a failed Pod records an event about it.',
  knownFrom: 'source',
})

export const unavailablePodsGoFirst = defineDifference({
  name: 'unavailable-pods-of-stateful-sets-go-first',
  since: '1.34',
  description:
    'When scaling down, a stateful set may remove the first Pod that is not available yet, rather than the first that is not ready.',
  knownFrom: 'source',
})

export const repeatedErrors = defineDifference({
  name: 'set-errors-are-reported-twice',
  until: '1.33',
  description: 'Validation errors of an updated daemon set or replica set are reported twice.',
  knownFrom: 'source',
})

export const repeatedNumbers = defineDifference({
  name: 'stateful-set-number-errors-are-reported-twice',
  until: '1.24',
  description: 'Validation errors in the numbers of an updated stateful set are reported twice.',
  knownFrom: 'source',
})

export const revisionDataIsChecked = defineDifference({
  name: 'data-of-revisions-is-an-object',
  since: '1.31',
  description: 'The data of a new ControllerRevision must be a JSON object.',
  knownFrom: 'source',
})

export const boundDaemonsFollowNodes = defineDifference({
  name: 'daemons-on-nodes-follow-their-changes',
  since: '1.33',
  description:
    'A change of a node triggers the daemon sets that have or should have a Pod on it; before, all whose fit changed.',
  knownFrom: 'source',
})

export const surgingDaemonsStay = defineDifference({
  name: 'daemons-stay-until-others-are-available',
  since: '1.25',
  description:
    'A daemon set with maxSurge deletes available Pods on nodes that it no longer fits only while enough others are available.',
  knownFrom: 'source',
})

export const appsDifferences = [
  boundDaemonsFollowNodes,
  surgingDaemonsStay,
  repeatedErrors,
  repeatedNumbers,
  checkedLikeNew,
  revisionDataIsChecked,
  claimRetention,
  mutableHistoryLimit,
  checkedServiceNames,
  checkedSetTemplates,
  indexedSetPods,
  controlledClaims,
  endedSetPods,
  announcedReplacements,
  unavailablePodsGoFirst,
]
