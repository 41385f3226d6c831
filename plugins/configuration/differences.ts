import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const missingKeysHaveNames = defineDifference({
  name: 'missing-keys-of-secrets-have-names',
  since: '1.24',
  description: 'The path of a key that a Secret of a type must have is data[key], without an unfilled format.',
  knownFrom: 'source',
})
export const keyPairWarnings = defineDifference({
  name: 'warnings-about-key-pairs',
  since: '1.27',
  description: 'A TLS Secret whose key does not belong to its certificate is warned about.',
  knownFrom: 'source',
  additive: true,
})

export const differences = [missingKeysHaveNames, keyPairWarnings]
