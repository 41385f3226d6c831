import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const rangeWarnings = defineDifference({
  name: 'warnings-about-ranges-of-nodes',
  since: '1.33',
  description: 'Ranges of a node that are written in an ambiguous or unusual way are warned about.',
  knownFrom: 'source',
  additive: true,
})
export const rangesMayRepeat = defineDifference({
  name: 'repeated-ranges-of-nodes-are-told-once',
  since: '1.33',
  description: 'Two equal ranges of a node are two of one IP family, and not also duplicates.',
  knownFrom: 'source',
})

export const runtimeClassWarnings = defineDifference({
  name: 'warnings-about-labels-in-runtime-classes',
  since: '1.25',
  description: 'Old labels of nodes in the node selector of a runtime class are warned about.',
  knownFrom: 'source',
  additive: true,
})

export const priorityPath = defineDifference({
  name: 'changed-values-of-priority-classes-are-told-at-value',
  since: '1.25',
  description: 'The value of a priority class that was changed is told at value, without a capital.',
  knownFrom: 'recorded',
})
export const tolerationPaths = defineDifference({
  name: 'tolerations-of-runtime-classes-are-told-at-their-place',
  since: '1.35',
  description:
    'Invalid tolerations of a runtime class are told at scheduling.tolerations, which older versions say twice.',
  knownFrom: 'source',
  additive: true,
})
export const handlerIsRequired = defineDifference({
  name: 'missing-handlers-of-runtime-classes-are-required',
  since: '1.36',
  description: 'A runtime class without a handler lacks it (Required) rather than having an invalid one.',
  knownFrom: 'source',
})

export const keptOwners = defineDifference({
  name: 'nodes-keep-their-owners',
  since: '1.31',
  description: 'NodeRestriction: a node cannot change the owners of its Node.',
  knownFrom: 'source',
})
export const keptClaimStatuses = defineDifference({
  name: 'nodes-do-not-write-statuses-of-claims',
  since: '1.28',
  description: 'NodeRestriction: a node cannot change which claims were made for a Pod.',
  knownFrom: 'source',
})
export const mirrorPodsWithoutClaims = defineDifference({
  name: 'mirror-pods-have-no-resource-claims',
  since: '1.32',
  description: 'NodeRestriction: Pods that a node makes by itself cannot refer to resource claims.',
  knownFrom: 'source',
})

export const differences = [
  keptOwners,
  keptClaimStatuses,
  mirrorPodsWithoutClaims,
  rangeWarnings,
  rangesMayRepeat,
  runtimeClassWarnings,
  priorityPath,
  handlerIsRequired,
  tolerationPaths,
]
