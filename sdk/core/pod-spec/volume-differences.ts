import { type Difference, defineDifference } from '../../plugin/level.js'

/** Also used for persistent volumes. */
export const publishSecretAtItsPath = defineDifference({
  name: 'publish-secret-errors-have-their-path',
  since: '1.24',
  description: 'Errors about nodePublishSecretRef of a volume name the field; before, the path ends with a space.',
  knownFrom: 'source',
})

/** Also used for everything else that names a CSI driver. */
export const missingDriverNames = defineDifference({
  name: 'missing-driver-names-are-reported-once',
  since: '1.35',
  description: 'A missing driver name is reported as missing, and not also as invalid.',
  knownFrom: 'source',
})

export const hostAddressesAreFields = defineDifference({
  name: 'all-addresses-of-the-host-are-a-field',
  since: '1.28',
  description:
    'A reference to status.hostIPs is Forbidden in environment variables and NotSupported in files, rather than unknown.',
  knownFrom: 'source',
  additive: true,
})

export const variablesHoldHostAddresses = defineDifference({
  name: 'variables-hold-all-addresses-of-the-host',
  since: '1.29',
  description: 'Environment variables may refer to status.hostIPs.',
  knownFrom: 'gate',
  additive: true,
})

export const volumesForSinglePods = defineDifference({
  name: 'ephemeral-volumes-for-single-pods',
  since: '1.27',
  additive: true,
  description: 'The claim of an ephemeral volume may have the access mode ReadWriteOncePod.',
  knownFrom: 'gate',
})

export const attributesClassesAreChecked = defineDifference({
  name: 'attributes-classes-of-ephemeral-volumes-are-checked',
  since: '1.34',
  description: 'The volumeAttributesClassName of an ephemeral volume must be a valid name.',
  knownFrom: 'gate',
})

/** Differences of volumes, and of the fields of a Pod that they and variables refer to. */
export const volumeDifferences: readonly Difference[] = [
  publishSecretAtItsPath,
  missingDriverNames,
  hostAddressesAreFields,
  variablesHoldHostAddresses,
  volumesForSinglePods,
  attributesClassesAreChecked,
]
