import { defineDifference, type ServedLevel, type VersionName } from 'orch/sdk'
import { nameIsDns1035Label, nameIsDnsLabel } from 'orch/sdk/validation'

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
  'Non-canonical addresses and ranges of Services, and the former annotation for topology hints, cause a warning.',
)
export const warnsAboutIgnoredFields = warned(
  'warnings-about-ignored-fields-of-services',
  '1.28',
  'Fields of Services that have no effect for their type cause a warning.',
)
export const warnsAboutHeadless = warned(
  'warnings-about-headless-services',
  '1.34',
  'Fields that have no effect for headless Services cause a warning.',
)
export const deprecatesPreferClose = warned(
  'prefer-close-is-deprecated',
  '1.35',
  'PreferClose causes a warning that it is now called PreferSameZone.',
)
export const deprecatesExternalIps = warned(
  'external-ips-are-deprecated',
  '1.36',
  'externalIPs of Services cause a warning.',
)
export const addressesAreStrict = warned(
  'service-addresses-are-checked-strictly',
  '1.33',
  'IPv4-mapped IPv6 addresses and CIDRs with bits set after the prefix cause a warning; a value that is not an address no longer does.',
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
  description: 'An unknown externalTrafficPolicy is NotSupported instead of Invalid.',
  knownFrom: 'source',
})
export const externalIpsHavePolicies = defineDifference({
  name: 'external-ips-have-traffic-policies',
  since: '1.29',
  description: 'Services with externalIPs have an externalTrafficPolicy, `Cluster` by default; before, they must not.',
  knownFrom: 'source',
})
export const balancedStatusNeedsType = defineDifference({
  name: 'load-balancer-status-needs-the-type',
  since: '1.29',
  description: 'Only Services of type LoadBalancer may have load balancer addresses in their status.',
  knownFrom: 'source',
})
export const rangesAreReportedByIndex = defineDifference({
  name: 'source-range-errors-have-indexes',
  since: '1.30',
  description: 'Errors about loadBalancerSourceRanges are reported at the index of the range.',
  knownFrom: 'source',
})
export const topologyAnnotationsAgree = defineDifference({
  name: 'topology-annotations-agree',
  since: '1.27',
  description: 'The two topology annotations of a Service must have the same value.',
  knownFrom: 'source',
})

export const newestClassIsDefault = defineDifference({
  name: 'newest-default-ingress-class-counts',
  since: '1.25',
  description: 'If several IngressClasses are marked as default, the newest is used; before, the Ingress is rejected.',
  knownFrom: 'source',
})
export const warnsAboutClassAnnotation = defineDifference({
  name: 'warnings-about-ingress-class-annotations',
  since: '1.27',
  description: 'The class annotation of a new Ingress causes a warning that there is a field.',
  knownFrom: 'recorded',
})
export const namesHaveNoInternalPolicy = defineDifference({
  name: 'external-names-have-no-internal-traffic-policy',
  since: '1.24',
  description: 'internalTrafficPolicy of a Service of type ExternalName is dropped.',
  knownFrom: 'source',
})

export const policiesAreCheckedOnce = defineDifference({
  name: 'network-policies-are-checked-once',
  since: '1.36',
  description: 'Validation errors of a changed NetworkPolicy are reported once instead of twice.',
  knownFrom: 'source',
})
export const policyExceptionsAreAllChecked = defineDifference({
  name: 'exceptions-of-network-policies-are-all-checked',
  since: '1.30',
  description: 'The ranges after an invalid one in `except` are checked, too.',
  knownFrom: 'source',
})
export const serviceMetadataOnce = defineDifference({
  name: 'metadata-of-services-is-checked-once',
  since: '1.34',
  description: 'Errors in the metadata of a changed Service are reported three times instead of four.',
  knownFrom: 'source',
})
export const servicesAreSelectedByType = defineDifference({
  name: 'services-are-selected-by-type',
  since: '1.31',
  description: 'Field selectors of Services may use spec.clusterIP and spec.type.',
  knownFrom: 'source',
  additive: true,
})

export const classMayBeSaidTwice = defineDifference({
  name: 'ingress-class-may-be-set-twice',
  since: '1.27',
  description: 'An Ingress may have the annotation and the field for its class if both have the same value.',
  knownFrom: 'source',
  additive: true,
})

export const serviceNamesMayBeginWithDigits = defineDifference({
  name: 'service-names-may-begin-with-digits',
  since: '1.36',
  description: 'Names of Services, and of the Services of Ingresses, may begin with a digit.',
  knownFrom: 'gate',
  additive: true,
})

export const storedServiceNamesMayStay = defineDifference({
  name: 'stored-service-names-of-ingresses-may-stay',
  since: '1.34',
  description:
    'If a rule of a stored Ingress names a Service that begins with a digit, updates may name such Services.',
  knownFrom: 'source',
  additive: true,
})
export const storedDefaultBackendsMayStay = defineDifference({
  name: 'stored-default-backends-of-ingresses-may-stay',
  since: '1.35',
  description: 'The same holds if it is the default backend that names such a Service.',
  knownFrom: 'source',
  additive: true,
})

/** How a Service may be named. */
export const serviceNameRule = (level: ServedLevel) =>
  level.has(serviceNamesMayBeginWithDigits) ? nameIsDnsLabel : nameIsDns1035Label

export const mappedNamesAreRefused = defineDifference({
  name: 'mapped-addresses-are-no-names',
  since: '1.33',
  description: 'The name of an IPAddress may not be an IPv4-mapped IPv6 address.',
  knownFrom: 'source',
})
export const statusOfRangesIsReset = defineDifference({
  name: 'apply-to-the-status-of-service-cidrs-owns-only-the-status',
  since: '1.36',
  description: 'Apply to the status of a ServiceCIDR never owns fields of its spec and its metadata.',
  knownFrom: 'source',
})

export const exposesNodeAgents = defineDifference({
  name: 'load-balancers-may-use-the-port-of-node-agents',
  since: '1.33',
  description: 'A Service of type LoadBalancer may have port 10250.',
  knownFrom: 'source',
  additive: true,
})
export const storedEndpointsMayStay = defineDifference({
  name: 'unchanged-endpoints-are-not-checked-again',
  since: '1.33',
  description: 'An update that does not change the subsets of Endpoints is accepted, even if they are invalid.',
  knownFrom: 'source',
  additive: true,
})

export const differences = [
  serviceNamesMayBeginWithDigits,
  storedServiceNamesMayStay,
  storedDefaultBackendsMayStay,
  mappedNamesAreRefused,
  statusOfRangesIsReset,
  classMayBeSaidTwice,
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
  rangesAreReportedByIndex,
  topologyAnnotationsAgree,
  policiesAreCheckedOnce,
  policyExceptionsAreAllChecked,
  serviceMetadataOnce,
  servicesAreSelectedByType,
  exposesNodeAgents,
  storedEndpointsMayStay,
]
