import { defineDifference } from 'orch/sdk'

/** The first bindings had no such field. */
export const bindingsSayActions = defineDifference({
  name: 'policy-bindings-have-actions',
  since: '1.27',
  additive: true,
  knownFrom: 'source',
  description:
    'Bindings of validating policies define the action for failed requests; before, such requests are rejected.',
})

/** The first references named one object, without which requests are refused. */
export const referencesSayWhatIsMissing = defineDifference({
  name: 'policy-parameters-may-be-missing',
  since: '1.28',
  additive: true,
  knownFrom: 'source',
  description: 'References to parameters define what happens if there are none; before, requests are rejected.',
})

export const policyDifferences = [bindingsSayActions, referencesSayWhatIsMissing]
