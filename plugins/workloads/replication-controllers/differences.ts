import { defineDifference } from 'orch/sdk'

export const controllersAreCheckedOnce = defineDifference({
  name: 'replication-controllers-are-checked-once',
  since: '1.35',
  description: 'Validation errors of a changed ReplicationController are reported once instead of twice.',
  knownFrom: 'probed',
})
