import { defineDifference } from 'orch/sdk'

/** The first bindings had no such field. */
export const bindingsSayActions = defineDifference({
  name: 'policy-bindings-say-actions',
  since: '1.27',
  additive: true,
  knownFrom: 'source',
  description: 'Bindings of validating policies say what becomes of requests that fail; before, they are refused.',
})

/** The first references named one object, without which requests are refused. */
export const referencesSayWhatIsMissing = defineDifference({
  name: 'policy-parameters-may-be-missing',
  since: '1.28',
  additive: true,
  knownFrom: 'source',
  description: 'References to parameters say what happens when there are none; before, requests are refused.',
})

export const policyDifferences = [bindingsSayActions, referencesSayWhatIsMissing]
