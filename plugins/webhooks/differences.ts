import { defineDifference } from 'orch/sdk'

export const brokenPatchesAreFailures = defineDifference({
  name: 'broken-patches-of-webhooks-are-failures',
  since: '1.34',
  description:
    'A mutating webhook whose patch cannot be read has failed, so that its failure policy decides; before, the request always fails.',
  knownFrom: 'source',
})

export const staticNamesAreReserved = defineDifference({
  name: 'names-of-static-webhooks-are-reserved',
  since: '1.36',
  description:
    'Webhook configurations whose name has the suffix of configurations in files are written with a warning.',
  knownFrom: 'source',
})

export const webhookDifferences = [brokenPatchesAreFailures, staticNamesAreReserved]
