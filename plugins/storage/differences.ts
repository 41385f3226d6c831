import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const driversChange = defineDifference({
  name: 'csi-drivers-can-change',
  since: '1.30',
  description:
    'fsGroupPolicy and podInfoOnMount of a CSIDriver can change, and every such change counts as a generation.',
  knownFrom: 'source',
})

export const resizeStatusesHaveTheirName = defineDifference({
  name: 'resize-statuses-are-told-by-their-name',
  since: '1.34',
  description:
    'What is wrong with allocatedResourceStatuses of a claim is told there, and not at a field that does not exist.',
  knownFrom: 'source',
})
export const volumesKeepGatedFields = defineDifference({
  name: 'gated-fields-of-volumes-are-stored',
  since: '1.29',
  until: '1.30',
  description: 'A persistent volume may have fields whose gate is off.',
  knownFrom: 'source',
})

export const checkedDataSourceGroups = defineDifference({
  name: 'groups-of-data-sources-are-checked',
  since: '1.29',
  description: 'The group of what a claim is filled from must be the name of a group.',
  knownFrom: 'source',
})
export const volumeWarnings = defineDifference({
  name: 'warnings-about-volumes',
  since: '1.25',
  description: 'Volumes and storage classes with old annotations and old labels of nodes are warned about.',
  knownFrom: 'source',
  additive: true,
})
export const sourceWarnings = defineDifference({
  name: 'warnings-about-sources-of-volumes',
  since: '1.28',
  description: 'Volumes of drivers that are gone are warned about.',
  knownFrom: 'source',
})
export const recycleWarnings = defineDifference({
  name: 'warnings-about-recycling',
  since: '1.30',
  description: 'The reclaim policy Recycle is warned about.',
  knownFrom: 'recorded',
})
export const mountOptionWarnings = defineDifference({
  name: 'warnings-about-mount-options-annotation',
  since: '1.31',
  description: 'The old annotation for mount options of volumes is warned about.',
  knownFrom: 'source',
})
export const fractionWarnings = defineDifference({
  name: 'warnings-about-fractions-of-bytes',
  since: '1.26',
  description: 'Claims of fractions of a byte, and claims with the old annotation of their class, are warned about.',
  knownFrom: 'source',
})
export const missingDriverNames = defineDifference({
  name: 'missing-driver-names-are-told-once',
  since: '1.35',
  description: 'The missing name of a driver is missing, and not invalid in addition.',
  knownFrom: 'source',
})
export const immutableClasses = defineDifference({
  name: 'storage-classes-are-immutable-by-field',
  since: '1.36',
  description: 'Fields of a storage class that cannot change are Invalid rather than Forbidden.',
  knownFrom: 'recorded',
})
export const driversAtTheirPath = defineDifference({
  name: 'changed-drivers-of-nodes-are-told-at-their-path',
  since: '1.33',
  description: 'What a driver says about a node and cannot change is told at spec.drivers.',
  knownFrom: 'source',
})
export const capacitiesAreCheckedOnce = defineDifference({
  name: 'storage-capacities-are-checked-once',
  since: '1.28',
  description: 'What is wrong with a new CSIStorageCapacity is told once instead of twice.',
  knownFrom: 'recorded',
})
export const errorCodes = defineDifference({
  name: 'error-codes-of-attachments-are-checked',
  since: '1.33',
  description: 'Error codes of volume attachments cannot be negative.',
  knownFrom: 'source',
  additive: true,
})

export const claimsAreCheckedOnce = defineDifference({
  name: 'claims-and-attachments-are-checked-once',
  since: '1.35',
  description: 'What is wrong with a changed claim or volume attachment is told once instead of twice.',
  knownFrom: 'source',
})
export const nodesAreCheckedOnce = defineDifference({
  name: 'drivers-of-nodes-are-checked-once',
  since: '1.36',
  description: 'What is wrong with a changed CSINode is told once instead of twice.',
  knownFrom: 'source',
})
export const classProtection = defineDifference({
  name: 'volume-attributes-classes-are-protected',
  since: '1.34',
  description: 'A class of volume attributes has a finalizer, and stays as long as a claim or a volume names it.',
  knownFrom: 'gate',
  additive: true,
})

export const newestDefaultClass = defineDifference({
  name: 'newest-default-storage-class-wins',
  since: '1.26',
  description:
    'Where several storage classes are the default, claims get the newest of them; before, they are refused.',
  knownFrom: 'source',
})

export const publishSecretAtItsPath = defineDifference({
  name: 'publish-secrets-are-told-at-their-path',
  since: '1.24',
  description: 'Errors about nodePublishSecretRef of a volume name the field; before, the name ends in a blank.',
  knownFrom: 'source',
})
export const attachersAreCheckedOnce = defineDifference({
  name: 'missing-attachers-are-told-once',
  since: '1.36',
  description: 'A volume attachment without an attacher is told so once instead of twice.',
  knownFrom: 'source',
})

export const differences = [
  newestDefaultClass,
  resizeStatusesHaveTheirName,
  volumesKeepGatedFields,
  claimsAreCheckedOnce,
  nodesAreCheckedOnce,
  classProtection,
  driversChange,
  checkedDataSourceGroups,
  volumeWarnings,
  sourceWarnings,
  recycleWarnings,
  mountOptionWarnings,
  fractionWarnings,
  missingDriverNames,
  immutableClasses,
  driversAtTheirPath,
  capacitiesAreCheckedOnce,
  errorCodes,
  publishSecretAtItsPath,
  attachersAreCheckedOnce,
]
