import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const driversChange = defineDifference({
  name: 'csi-drivers-can-change',
  since: '1.30',
  description: 'fsGroupPolicy and podInfoOnMount of a CSIDriver are mutable, and such changes increase the generation.',
  knownFrom: 'source',
})

export const resizeStatusesHaveTheirName = defineDifference({
  name: 'resize-statuses-are-reported-by-their-name',
  since: '1.34',
  description:
    'Errors about allocatedResourceStatuses of a claim are reported at that field, and not at one that does not exist.',
  knownFrom: 'source',
})
export const volumesKeepGatedFields = defineDifference({
  name: 'gated-fields-of-volumes-are-stored',
  since: '1.29',
  until: '1.30',
  description: 'A persistent volume may have fields whose gate is off.',
  knownFrom: 'source',
})

export const volumeWarnings = defineDifference({
  name: 'warnings-about-volumes',
  since: '1.25',
  description: 'Volumes, storage classes and capacities with deprecated node labels cause a warning.',
  knownFrom: 'source',
  additive: true,
})
export const sourceWarnings = defineDifference({
  name: 'warnings-about-sources-of-volumes',
  since: '1.28',
  description: 'Volumes of removed drivers cause a warning.',
  knownFrom: 'source',
})
export const classAnnotationWarnings = defineDifference({
  name: 'warnings-about-class-annotation',
  since: '1.28',
  description: 'The deprecated annotation for the class of volumes and claims causes a warning.',
  knownFrom: 'source',
})
export const recycleWarnings = defineDifference({
  name: 'warnings-about-recycling',
  since: '1.30',
  description: 'The reclaim policy Recycle causes a warning.',
  knownFrom: 'recorded',
})
export const mountOptionWarnings = defineDifference({
  name: 'warnings-about-mount-options-annotation',
  since: '1.31',
  description: 'The deprecated annotation for mount options of volumes causes a warning.',
  knownFrom: 'source',
})
export const immutableClasses = defineDifference({
  name: 'storage-classes-are-immutable-by-field',
  since: '1.36',
  description: 'Changes of immutable fields of a storage class are Invalid rather than Forbidden.',
  knownFrom: 'recorded',
})
export const driversAtTheirPath = defineDifference({
  name: 'changed-drivers-of-nodes-are-reported-at-their-path',
  since: '1.33',
  description: 'Errors about immutable driver entries of a CSINode are reported at spec.drivers.',
  knownFrom: 'source',
})
export const capacitiesAreCheckedOnce = defineDifference({
  name: 'storage-capacities-are-checked-once',
  since: '1.28',
  description: 'Validation errors of a new CSIStorageCapacity are reported once instead of twice.',
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
  description: 'Validation errors of a changed claim or volume attachment are reported once instead of twice.',
  knownFrom: 'source',
})
export const nodesAreCheckedOnce = defineDifference({
  name: 'drivers-of-nodes-are-checked-once',
  since: '1.36',
  description: 'Validation errors of a changed CSINode are reported once instead of twice.',
  knownFrom: 'source',
})
export const classProtection = defineDifference({
  name: 'volume-attributes-classes-are-protected',
  since: '1.34',
  description: 'A VolumeAttributesClass has a finalizer that keeps it while a claim or a volume refers to it.',
  knownFrom: 'gate',
  additive: true,
})

export const newestDefaultClass = defineDifference({
  name: 'newest-default-storage-class-wins',
  since: '1.26',
  description: 'If several storage classes are the default, claims get the newest of them; before, they are rejected.',
  knownFrom: 'source',
})

export const csiSecretsAtTheirPath = defineDifference({
  name: 'csi-secret-errors-have-their-path',
  since: '1.25',
  description:
    'Errors about a malformed name or namespace of a Secret of a CSI volume name the Secret; before, the volume.',
  knownFrom: 'source',
})
export const csiSecretsMayBeDomains = defineDifference({
  name: 'csi-secrets-may-have-domain-names',
  since: '1.27',
  description: 'Secrets of a CSI volume may have any name that a Secret may have; before, labels only.',
  knownFrom: 'source',
})
export const nodeLabelsMayBecomeFinal = defineDifference({
  name: 'beta-labels-of-volumes-may-become-final',
  since: '1.27',
  description:
    'Beta labels in the node affinity of a volume (zone, region, architecture, operating system, instance type) may be replaced by their final names.',
  knownFrom: 'source',
  additive: true,
})
export const attachmentsForSinglePods = defineDifference({
  name: 'inline-volumes-for-single-pods',
  since: '1.29',
  description: 'The inline volume of a volume attachment may have the access mode ReadWriteOncePod.',
  knownFrom: 'source',
  additive: true,
})
export const tokenRequestsAreCheckedOnce = defineDifference({
  name: 'token-requests-of-drivers-are-checked-once',
  since: '1.30',
  description: 'Errors about the token requests of a changed CSIDriver are reported once instead of twice.',
  knownFrom: 'source',
})
export const classesAreCheckedTwice = defineDifference({
  name: 'volume-attributes-classes-are-checked-twice',
  since: '1.30',
  until: '1.34',
  description: 'Validation errors of a changed VolumeAttributesClass are reported twice.',
  knownFrom: 'source',
})
export const newVolumesKeepStatus = defineDifference({
  name: 'new-volumes-keep-their-status',
  since: '1.24',
  until: '1.24',
  description: 'A new persistent volume has the status that was sent.',
  knownFrom: 'source',
})
export const attachersAreCheckedOnce = defineDifference({
  name: 'missing-attachers-are-reported-once',
  since: '1.36',
  description: 'The missing attacher of a volume attachment is reported once instead of twice.',
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
  volumeWarnings,
  sourceWarnings,
  classAnnotationWarnings,
  recycleWarnings,
  mountOptionWarnings,
  immutableClasses,
  driversAtTheirPath,
  capacitiesAreCheckedOnce,
  errorCodes,
  csiSecretsAtTheirPath,
  csiSecretsMayBeDomains,
  attachersAreCheckedOnce,
  nodeLabelsMayBecomeFinal,
  attachmentsForSinglePods,
  tokenRequestsAreCheckedOnce,
  classesAreCheckedTwice,
  newVolumesKeepStatus,
]
