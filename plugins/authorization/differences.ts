import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const bindingsAreNotFound = defineDifference({
  name: 'missing-roles-are-told-as-bindings',
  since: '1.32',
  description: 'The error about a role that a binding refers to and that is not there names the kind of the binding.',
  knownFrom: 'source',
})

export const rolesAreCheckedOnce = defineDifference({
  name: 'roles-and-bindings-are-checked-once',
  since: '1.35',
  description: 'What is wrong with a changed role or binding is told once instead of twice.',
  knownFrom: 'source',
})

export const differences = [bindingsAreNotFound, rolesAreCheckedOnce]
