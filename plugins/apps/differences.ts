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

export const appsDifferences = [claimRetention, mutableHistoryLimit, checkedServiceNames, checkedSetTemplates]
