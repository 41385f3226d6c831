import { defineDifference } from 'orch/sdk'

export const bindingsHaveActions = defineDifference({
  name: 'policy-bindings-have-actions',
  since: '1.27',
  additive: true,
  knownFrom: 'source',
  description:
    'Bindings of validating policies define the action for failed requests; before, such requests are rejected.',
})

export const paramRefsHaveNotFoundAction = defineDifference({
  name: 'policy-parameters-may-be-missing',
  since: '1.28',
  additive: true,
  knownFrom: 'source',
  description: 'References to parameters define what happens if there are none; before, requests are rejected.',
})

export const policyDifferences = [bindingsHaveActions, paramRefsHaveNotFoundAction]
