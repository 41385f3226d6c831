import { defineDifference } from 'orch/sdk'

/** A prefix that no name can begin with makes a name that is refused anyway. */
export const classPrefixesAreFree = defineDifference({
  name: 'prefixes-of-device-classes-are-not-checked',
  since: '1.35',
  description: 'Of a DeviceClass, only the name is checked, not also the generateName that it was made from.',
  knownFrom: 'source',
})
