import { defineDifference } from 'orch/sdk'

export const controllersAreCheckedOnce = defineDifference({
  name: 'replication-controllers-are-checked-once',
  since: '1.35',
  description: 'Who changes a ReplicationController is told once what is wrong with it; before, twice.',
  knownFrom: 'asked',
})
