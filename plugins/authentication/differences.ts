import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const noAutomaticSecrets = defineDifference({
  name: 'no-automatic-token-secrets',
  since: '1.24',
  description: 'Service accounts get no token Secret automatically; manually created ones are still filled.',
  knownFrom: 'gate',
})
export const namedTokenRequests = defineDifference({
  name: 'token-requests-name-their-account',
  since: '1.24',
  description:
    'Answers to token requests have a name, namespace and time; a request that names another account is rejected.',
  knownFrom: 'source',
})
export const identifiedTokenRequests = defineDifference({
  name: 'token-requests-have-the-uid-of-their-account',
  since: '1.34',
  description: 'Responses to token requests contain the UID of the account.',
  knownFrom: 'source',
})
export const trackedTokens = defineDifference({
  name: 'tokens-in-secrets-are-tracked',
  since: '1.27',
  description:
    'A Secret is labelled with the day on which its token was last used, and the use of automatic ones causes a warning.',
  knownFrom: 'gate',
})
export const invalidatedTokens = defineDifference({
  name: 'tokens-in-secrets-are-invalidated',
  since: '1.29',
  description:
    'Automatic token Secrets that were not used for a year are labelled and their tokens rejected; after another year they are deleted.',
  knownFrom: 'gate',
})
export const warningsAboutMountableSecrets = defineDifference({
  name: 'warnings-about-mountable-secrets',
  since: '1.32',
  description: 'The annotation that restricts the Secrets of a service account causes a deprecation warning.',
  knownFrom: 'source',
})
export const certificateIds = defineDifference({
  name: 'client-certificates-have-credential-ids',
  since: '1.32',
  description: 'The hash of a client certificate is the credential id of its user.',
  knownFrom: 'source',
})

export const differences = [
  noAutomaticSecrets,
  namedTokenRequests,
  identifiedTokenRequests,
  trackedTokens,
  invalidatedTokens,
  warningsAboutMountableSecrets,
  certificateIds,
]
