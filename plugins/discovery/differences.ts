import { defineDifference } from 'orch/sdk'

export const fqdnSlicesCauseWarnings = defineDifference({
  name: 'slices-of-names-cause-warnings',
  since: '1.27',
  description: 'An EndpointSlice of names instead of addresses causes a warning that it is not used.',
  knownFrom: 'source',
})
export const addressErrorsAreReportedOnce = defineDifference({
  name: 'endpoint-address-errors-are-reported-once',
  since: '1.33',
  description:
    'Errors about an address of an EndpointSlice are reported once; IPv6 addresses must be canonical, non-canonical IPv4 addresses cause a warning.',
  knownFrom: 'recorded',
})
export const managerOfEndpoints = defineDifference({
  name: 'endpoints-name-their-manager',
  since: '1.33',
  description: 'Endpoints managed by the server have a label that names the controller.',
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
  description: 'A Service of type ExternalName has neither Endpoints nor EndpointSlices, even if it has a selector.',
  knownFrom: 'source',
})

export const differences = [
  fqdnSlicesCauseWarnings,
  addressErrorsAreReportedOnce,
  managerOfEndpoints,
  missingNodesHaveNoEndpoints,
  externalNamesHaveNoEndpoints,
]
