import { defineDifference } from 'orch/sdk'

/** A prefix that no name can begin with makes a name that is refused anyway. */
export const controllerPrefixesAreFree = defineDifference({
  name: 'prefixes-of-replication-controllers-are-not-checked',
  since: '1.35',
  description: 'Of a ReplicationController, only the name is checked, not also the generateName that it was made from.',
  knownFrom: 'source',
})
export const controllersAreCheckedOnce = defineDifference({
  name: 'replication-controllers-are-checked-once',
  since: '1.35',
  description: 'Validation errors of a changed ReplicationController are reported once instead of twice.',
  knownFrom: 'probed',
})
