import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const namesAreWarnedAbout = defineDifference({
  name: 'slices-of-names-are-warned-about',
  since: '1.27',
  description: 'Who makes an EndpointSlice of names instead of addresses is told that there is no use for it.',
  knownFrom: 'source',
})
export const addressesAreToldOnce = defineDifference({
  name: 'addresses-of-endpoints-are-told-once',
  since: '1.33',
  description:
    'What is wrong with an address of an EndpointSlice is told once; IPv6 addresses must be canonical, odd IPv4 addresses are warned about.',
  knownFrom: 'recorded',
})
export const managerOfEndpoints = defineDifference({
  name: 'endpoints-name-their-manager',
  since: '1.33',
  description: 'Endpoints that the server keeps have a label that says so.',
  knownFrom: 'source',
})

export const missingNodesHaveNoEndpoints = defineDifference({
  name: 'pods-of-missing-nodes-are-no-endpoints',
  since: '1.24',
  description:
    'A Pod whose node does not exist is in no EndpointSlice, unless the Service publishes addresses that are not ready.',
  knownFrom: 'source',
})

export const externalNamesHaveNoEndpoints = defineDifference({
  name: 'external-names-have-no-endpoints',
  since: '1.27',
  description: 'A Service of type ExternalName has neither Endpoints nor EndpointSlices, also when it has a selector.',
  knownFrom: 'source',
})

export const differences = [
  namesAreWarnedAbout,
  addressesAreToldOnce,
  managerOfEndpoints,
  missingNodesHaveNoEndpoints,
  externalNamesHaveNoEndpoints,
]
