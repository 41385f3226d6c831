import { defineDifference } from 'orch/sdk'

export const missingKeysHaveNames = defineDifference({
  name: 'missing-keys-of-secrets-have-names',
  since: '1.24',
  description:
    'The error about a missing key of a typed Secret has the path data[key]; before, the path contains an unresolved format verb.',
  knownFrom: 'source',
})
export const keyPairWarnings = defineDifference({
  name: 'warnings-about-key-pairs',
  since: '1.27',
  description: 'A TLS Secret whose key does not match its certificate causes a warning.',
  knownFrom: 'source',
  additive: true,
})

export const differences = [missingKeysHaveNames, keyPairWarnings]
