import { defineDifference, type VersionName } from 'orch/sdk'

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

const warned = (name: string, since: VersionName, description: string) =>
  defineDifference({ name, since, description, knownFrom: 'source' })

export const warnsAboutAddresses = warned(
  'warnings-about-addresses-of-services',
  '1.27',
  'Addresses and ranges of Services that are not in canonical form, and the former annotation for hints, are warned about.',
)
export const warnsAboutIgnoredFields = warned(
  'warnings-about-ignored-fields-of-services',
  '1.28',
  'Fields of Services that have no effect for their type are warned about.',
)
export const warnsAboutHeadless = warned(
  'warnings-about-headless-services',
  '1.34',
  'Fields that have no effect for Services without an address are warned about.',
)
export const deprecatesPreferClose = warned(
  'prefer-close-is-deprecated',
  '1.35',
  'Who asks for PreferClose is told that it is called PreferSameZone.',
)
export const deprecatesExternalIps = warned(
  'external-ips-are-deprecated',
  '1.36',
  'externalIPs of Services are warned about.',
)
export const addressesAreStrict = warned(
  'addresses-of-services-are-looked-at-closely',
  '1.33',
  'IPv4 addresses in the form of IPv6 and ranges with bits behind their prefix are warned about.',
)
export const mixesProtocols = defineDifference({
  name: 'load-balancers-mix-protocols',
  since: '1.24',
  description: 'Ports of a load balancer may have different protocols.',
  knownFrom: 'gate',
})
export const policiesAreChoices = defineDifference({
  name: 'traffic-policies-are-choices',
  since: '1.24',
  description: 'An externalTrafficPolicy that is not known is NotSupported instead of Invalid.',
  knownFrom: 'source',
})
export const externalIpsHavePolicies = defineDifference({
  name: 'external-ips-have-traffic-policies',
  since: '1.29',
  description: 'Services with externalIPs may have an externalTrafficPolicy.',
  knownFrom: 'source',
})
export const balancedStatusNeedsType = defineDifference({
  name: 'load-balancer-status-needs-the-type',
  since: '1.29',
  description: 'Only Services of type LoadBalancer may have addresses of a load balancer in their status.',
  knownFrom: 'source',
})
export const rangesAreToldByIndex = defineDifference({
  name: 'source-ranges-are-told-by-index',
  since: '1.30',
  description: 'What is wrong with a range of a load balancer is told at its index.',
  knownFrom: 'source',
})
export const topologyAnnotationsAgree = defineDifference({
  name: 'topology-annotations-agree',
  since: '1.27',
  description: 'Both annotations of a Service for topology must say the same.',
  knownFrom: 'source',
})

export const newestClassIsDefault = defineDifference({
  name: 'newest-default-ingress-class-counts',
  since: '1.25',
  description:
    'Of several IngressClasses that are marked as default the newest counts; before, the Ingress is refused.',
  knownFrom: 'source',
})
export const warnsAboutClassAnnotation = defineDifference({
  name: 'warnings-about-ingress-class-annotations',
  since: '1.27',
  description: 'Who names the class of a new Ingress in its annotation is told that there is a field.',
  knownFrom: 'recorded',
})
export const namesHaveNoInternalPolicy = defineDifference({
  name: 'external-names-have-no-internal-traffic-policy',
  since: '1.24',
  description: 'internalTrafficPolicy of a Service that is a name is dropped.',
  knownFrom: 'source',
})

export const policiesAreCheckedOnce = defineDifference({
  name: 'network-policies-are-checked-once',
  since: '1.36',
  description: 'What is wrong with a changed NetworkPolicy is told once instead of twice.',
  knownFrom: 'source',
})
export const servicesAreSelectedByType = defineDifference({
  name: 'services-are-selected-by-type',
  since: '1.31',
  description: 'Field selectors of Services may use spec.clusterIP and spec.type.',
  knownFrom: 'source',
  additive: true,
})

export const differences = [
  newestClassIsDefault,
  warnsAboutClassAnnotation,
  namesHaveNoInternalPolicy,
  namesOwnGroup,
  secondFamilyIsAdded,
  warnsAboutAddresses,
  warnsAboutIgnoredFields,
  warnsAboutHeadless,
  deprecatesPreferClose,
  deprecatesExternalIps,
  addressesAreStrict,
  mixesProtocols,
  policiesAreChoices,
  externalIpsHavePolicies,
  balancedStatusNeedsType,
  rangesAreToldByIndex,
  topologyAnnotationsAgree,
  policiesAreCheckedOnce,
  servicesAreSelectedByType,
]
