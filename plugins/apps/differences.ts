import { defineDifference } from 'orch/sdk'

export const claimRetention = defineDifference({
  name: 'claim-retention-of-stateful-sets',
  since: '1.27',
  additive: true,
  description: 'Stateful sets say what becomes of claims that are no longer needed; before, the field is dropped.',
  knownFrom: 'gate',
})

export const mutableHistoryLimit = defineDifference({
  name: 'revision-history-limit-of-stateful-sets-is-mutable',
  since: '1.33',
  additive: true,
  description: 'revisionHistoryLimit of a stateful set can be changed.',
  knownFrom: 'source',
})

export const checkedServiceNames = defineDifference({
  name: 'service-names-of-stateful-sets-are-checked',
  since: '1.33',
  description:
    'serviceName of a new stateful set must be a DNS label, and a negative revisionHistoryLimit is warned about.',
  knownFrom: 'source',
})

export const checkedSetTemplates = defineDifference({
  name: 'templates-of-stateful-sets-are-checked',
  since: '1.34',
  description: 'Templates of Pods and claims of a stateful set are checked as those of other types are.',
  knownFrom: 'source',
})

export const indexedSetPods = defineDifference({
  name: 'pods-of-stateful-sets-have-index-labels',
  since: '1.28',
  additive: true,
  description: 'The number of a Pod of a stateful set is a label of it, too.',
  knownFrom: 'gate',
})

export const controlledClaims = defineDifference({
  name: 'claims-of-stateful-sets-have-controllers',
  since: '1.28',
  additive: true,
  description:
    'A stateful set, or a Pod of it, that takes its claims along is their controller, and claims are watched; before, it is one of their owners.',
  knownFrom: 'source',
})

export const endedSetPods = defineDifference({
  name: 'stateful-sets-replace-succeeded-pods',
  since: '1.27',
  additive: true,
  description:
    'A stateful set replaces Pods that have succeeded as well as those that have failed, makes claims that its pending Pods miss, and has finished an update when all Pods that are wanted are there.',
  knownFrom: 'source',
})

export const announcedReplacements = defineDifference({
  name: 'stateful-sets-tell-of-failed-pods',
  until: '1.27',
  description: 'A stateful set that replaces a failed Pod records an event about it.',
  knownFrom: 'source',
})

export const unavailablePodsGoFirst = defineDifference({
  name: 'unavailable-pods-of-stateful-sets-go-first',
  since: '1.34',
  description:
    'A stateful set that shrinks may remove the first Pod that is not available yet, rather than the first that is not ready.',
  knownFrom: 'source',
})

export const repeatedErrors = defineDifference({
  name: 'errors-of-sets-are-told-twice',
  until: '1.33',
  description: 'What is wrong with a daemon set or replica set that is updated is told twice.',
  knownFrom: 'source',
})

export const repeatedNumbers = defineDifference({
  name: 'numbers-of-stateful-sets-are-told-twice',
  until: '1.24',
  description: 'What is wrong with the numbers of a stateful set that is updated is told twice.',
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
    'A change of a node is looked at by daemon sets that have a Pod on it, or should have one; before, by all whose fit changed.',
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
