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

export const bindingsAreAuthorizedAgain = defineDifference({
  name: 'policy-bindings-are-authorized-on-every-update',
  since: '1.28',
  knownFrom: 'source',
  description:
    'Every update of a binding with parameters needs the permission to read them; before, only one that changes the reference.',
})

export const staticNamesOfPoliciesAreReserved = defineDifference({
  name: 'names-of-static-policies-are-reserved',
  since: '1.36',
  knownFrom: 'source',
  description: 'Policies and bindings whose name has the suffix of those in files are written with a warning.',
})

export const policyDifferences = [
  bindingsHaveActions,
  paramRefsHaveNotFoundAction,
  bindingsAreAuthorizedAgain,
  staticNamesOfPoliciesAreReserved,
]
