import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const rangeWarnings = defineDifference({
  name: 'warnings-about-ranges-of-nodes',
  since: '1.33',
  description: 'Non-canonical podCIDRs of a node cause a warning.',
  knownFrom: 'source',
  additive: true,
})
export const rangesMayRepeat = defineDifference({
  name: 'repeated-ranges-of-nodes-are-reported-once',
  since: '1.33',
  description: 'Two equal podCIDRs of a node are reported as two of one IP family, and not also as duplicates.',
  knownFrom: 'source',
})

export const tablesShowArchitectures = defineDifference({
  name: 'tables-of-nodes-show-the-architecture',
  since: '1.36',
  description: 'Tables of nodes show the architecture after the version of the kernel.',
  knownFrom: 'source',
})

export const runtimeClassWarnings = defineDifference({
  name: 'warnings-about-labels-in-runtime-classes',
  since: '1.25',
  description: 'Deprecated node labels in the node selector of a runtime class cause a warning.',
  knownFrom: 'source',
  additive: true,
})

export const priorityPath = defineDifference({
  name: 'changed-priority-class-values-are-reported-at-value',
  since: '1.25',
  description: 'The error about a changed value of a priority class is reported at value, in lower case.',
  knownFrom: 'recorded',
})
export const tolerationPaths = defineDifference({
  name: 'tolerations-of-runtime-classes-are-reported-at-their-place',
  since: '1.35',
  description:
    'Errors about tolerations of a runtime class are reported at scheduling.tolerations; in older versions the path contains this twice.',
  knownFrom: 'source',
  additive: true,
})
export const handlerIsRequired = defineDifference({
  name: 'missing-handlers-of-runtime-classes-are-required',
  since: '1.36',
  description: 'A missing handler of a runtime class is Required rather than Invalid.',
  knownFrom: 'source',
})

export const keptOwners = defineDifference({
  name: 'nodes-keep-their-owners',
  since: '1.31',
  description: 'NodeRestriction: a node cannot change the owner references of its Node.',
  knownFrom: 'source',
})
export const keptClaimStatuses = defineDifference({
  name: 'nodes-do-not-write-statuses-of-claims',
  since: '1.28',
  description: 'NodeRestriction: a node cannot change the resource claim statuses of a Pod.',
  knownFrom: 'source',
})
export const mirrorPodsWithoutClaims = defineDifference({
  name: 'mirror-pods-have-no-resource-claims',
  since: '1.32',
  description: 'NodeRestriction: mirror Pods cannot refer to resource claims.',
  knownFrom: 'source',
})

export const ownCertificates = defineDifference({
  name: 'nodes-request-certificates-for-themselves',
  since: '1.31',
  description: 'NodeRestriction: a node can request certificates of nodes only for itself.',
  knownFrom: 'gate',
})
export const audiencesOfPods = defineDifference({
  name: 'nodes-request-tokens-for-audiences-of-their-pods',
  since: '1.33',
  description:
    'NodeRestriction: a node can request tokens only for audiences that the Pod needs, unless it is permitted to.',
  knownFrom: 'gate',
})
export const reportedAllocations = defineDifference({
  name: 'nodes-report-what-claims-were-allocated',
  since: '1.32',
  description: 'NodeRestriction: a node can write what a volume claim was allocated.',
  knownFrom: 'gate',
  additive: true,
})
export const mirrorPodsWithoutDrivers = defineDifference({
  name: 'mirror-pods-have-no-volumes-that-need-the-api',
  since: '1.34',
  description:
    'NodeRestriction: mirror Pods cannot have volumes of storage drivers or Glusterfs, nor projected tokens or certificates.',
  knownFrom: 'source',
})

export const differences = [
  ownCertificates,
  audiencesOfPods,
  reportedAllocations,
  mirrorPodsWithoutDrivers,
  keptOwners,
  keptClaimStatuses,
  mirrorPodsWithoutClaims,
  rangeWarnings,
  tablesShowArchitectures,
  rangesMayRepeat,
  runtimeClassWarnings,
  priorityPath,
  handlerIsRequired,
  tolerationPaths,
]
