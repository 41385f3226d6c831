import { defineDifference } from 'orch/sdk'

export const serversAreNamedOnce = defineDifference({
  name: 'servers-of-storage-versions-are-named-once',
  since: '1.28',
  description: 'The status of a StorageVersion may name each server only once.',
  knownFrom: 'source',
})
export const zeroIsNoVersion = defineDifference({
  name: 'migrations-do-not-begin-at-version-zero',
  since: '1.35',
  description: 'The resource version in the status of a StorageVersionMigration may not be 0.',
  knownFrom: 'source',
})

export const differences = [serversAreNamedOnce, zeroIsNoVersion]
