import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const namesOwnGroup = defineDifference({
  name: 'networking-errors-name-own-group',
  since: '1.27',
  description: 'Errors about Ingresses and NetworkPolicies name the networking group instead of extensions.',
  knownFrom: 'recorded',
})

export const secondFamilyIsAdded = defineDifference({
  name: 'service-cidrs-can-get-a-second-family',
  since: '1.33',
  additive: true,
  description: 'A range of the other family can be added to a ServiceCIDR; before, nothing in it can change.',
  knownFrom: 'source',
})

export const differences = [namesOwnGroup, secondFamilyIsAdded]
