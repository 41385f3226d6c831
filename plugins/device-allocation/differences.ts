import { defineDifference } from 'orch/sdk'

/** A prefix that no name can begin with makes a name that is refused anyway. */
export const classPrefixesAreFree = defineDifference({
  name: 'prefixes-of-device-classes-are-not-checked',
  since: '1.35',
  description: 'Of a DeviceClass, only the name is checked, not also the generateName that it was made from.',
  knownFrom: 'source',
})

export const updatesAreCheckedOnce = defineDifference({
  name: 'updates-for-devices-are-checked-once',
  since: '1.35',
  description:
    'Errors in a changed DeviceClass or ResourceClaimTemplate are reported once instead of twice. In a changed ResourceClaim nothing but the change is reported.',
  knownFrom: 'source',
})

export const longListsAreNotRead = defineDifference({
  name: 'long-lists-of-devices-are-not-read',
  since: '1.35',
  description: 'In a list for devices that is too long, or a map, the items are not checked and nothing is compiled.',
  knownFrom: 'source',
})

export const repeatsAreAtItems = defineDifference({
  name: 'repeated-items-for-devices-are-reported-at-the-item',
  since: '1.35',
  description: 'That two requests, devices or consumers have the same key is reported at the item, not at its key.',
  knownFrom: 'source',
})

export const eitherRequestIsChecked = defineDifference({
  name: 'requests-of-two-kinds-are-not-checked-further',
  since: '1.35',
  description: 'For a request with both exactly and firstAvailable, errors of these are not reported in addition.',
  knownFrom: 'source',
})

export const missingNamesAreInvalid = defineDifference({
  name: 'missing-parts-of-attribute-names-are-invalid',
  since: '1.35',
  description:
    'Attributes without a value, and names of attributes of which a part is missing, are reported as invalid values instead of as required ones. A missing name of a driver is reported once.',
  knownFrom: 'source',
})

export const keysAreAtMaps = defineDifference({
  name: 'invalid-keys-for-devices-are-reported-at-the-map',
  since: '1.36',
  description: 'An invalid name of an attribute, a capacity or a counter is reported at the map, not at the key.',
  knownFrom: 'source',
})

export const taintsMayOnlyInform = defineDifference({
  name: 'device-taints-may-have-the-effect-none',
  since: '1.35',
  description: 'Taints of devices, and tolerations, may have the effect None.',
  knownFrom: 'source',
  additive: true,
})

export const driversInLowerCase = defineDifference({
  name: 'upper-case-drivers-of-slices-are-warned-about',
  since: '1.35',
  description: 'A ResourceSlice whose driver has upper-case characters is stored with a warning.',
  knownFrom: 'source',
  additive: true,
})

/** It came with attributes that have several values. */
export const attributeValuesAreLimited = defineDifference({
  name: 'values-of-device-attributes-are-limited',
  since: '1.36',
  description: 'All attributes of a device together have at most 48 values.',
  knownFrom: 'source',
  additive: true,
})

/** The metadata is that of the stored object in any case. */
export const claimStatusResetsMetadata = defineDifference({
  name: 'status-of-claims-resets-metadata',
  since: '1.35',
  description: 'Whoever applies the status of a ResourceClaim never owns its metadata.',
  knownFrom: 'source',
})

export const differences = [
  classPrefixesAreFree,
  updatesAreCheckedOnce,
  longListsAreNotRead,
  repeatsAreAtItems,
  eitherRequestIsChecked,
  missingNamesAreInvalid,
  keysAreAtMaps,
  taintsMayOnlyInform,
  driversInLowerCase,
  attributeValuesAreLimited,
  claimStatusResetsMetadata,
]
