import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const namesOwnGroup = defineDifference({
  name: 'networking-errors-name-own-group',
  since: '1.27',
  description: 'Errors about Ingresses and NetworkPolicies name the networking group instead of extensions.',
  knownFrom: 'recorded',
})

export const differences = [namesOwnGroup]
