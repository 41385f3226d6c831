import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const bindingsAreNotFound = defineDifference({
  name: 'missing-role-errors-name-bindings',
  since: '1.32',
  description: 'The error about a missing role that a binding refers to names the kind of the binding.',
  knownFrom: 'source',
})

export const rolesAreCheckedOnce = defineDifference({
  name: 'roles-and-bindings-are-checked-once',
  since: '1.35',
  description: 'Validation errors of a changed role or binding are reported once instead of twice.',
  knownFrom: 'source',
})

export const differences = [bindingsAreNotFound, rolesAreCheckedOnce]
