import { isDeepStrictEqual } from 'node:util'
import { duplicate, type FieldError, invalidValue, notSupported, ownValue, requiredValue, tooMany } from 'orch/sdk'
import { checkNotSpecialIp, oneOf, protocols } from 'orch/sdk/core'
import {
  canonicalIp,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isStrictIp,
  isValidIp,
  isValidIpv4,
  isValidIpv6,
  isValidLabelValue,
  validateLabels,
} from 'orch/sdk/validation'
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from './schema.js'

const limits = { endpoints: 1000, addresses: 100, ports: 20_000, topologyLabels: 16, hints: 8 }
const addressTypes = ['FQDN', 'IPv4', 'IPv6']

/** The rules for addresses of a version. */
export interface AddressRules {
  /** Errors of an address are reported once, and IPv6 addresses are canonical. */
  readonly areReportedOnce?: boolean
  /** Ambiguous forms of addresses are rejected. */
  readonly areStrict?: boolean
}

export const validateSlice = (
  { addressType, endpoints, ports }: EndpointSlice,
  rules: AddressRules = {},
): FieldError[] => [
  ...validateAddressType(addressType),
  ...atMost(endpoints ?? [], limits.endpoints, 'endpoints', (endpoint, at) =>
    validateEndpoint(endpoint, at, addressType, rules),
  ),
  ...validatePorts(ports ?? []),
]

export const validateSliceUpdate = (
  slice: EndpointSlice,
  stored: EndpointSlice,
  rules: AddressRules = {},
): FieldError[] => [
  // Unchanged endpoints are not checked again.
  ...(rules.areReportedOnce && isDeepStrictEqual(slice.endpoints, stored.endpoints)
    ? [...validateAddressType(slice.addressType), ...validatePorts(slice.ports ?? [])]
    : validateSlice(slice, rules)),
  ...(slice.addressType === stored.addressType
    ? []
    : [invalidValue('addressType', slice.addressType, 'field is immutable')]),
]

/** The errors of every item, or only that there are too many. */
function atMost<T>(
  items: readonly T[],
  max: number,
  field: string,
  check: (item: T, at: string) => FieldError[],
): FieldError[] {
  if (items.length > max) return [tooMany(field, items.length, max)]
  return items.flatMap((item, index) => check(item, `${field}[${index}]`))
}

function validateAddressType(type = ''): FieldError[] {
  if (type === '') return [requiredValue('addressType')]
  return addressTypes.includes(type) ? [] : [notSupported('addressType', type, addressTypes)]
}

function validateEndpoint(endpoint: Endpoint, at: string, addressType: string, rules: AddressRules): FieldError[] {
  const { hostname, nodeName, deprecatedTopology = {}, hints } = endpoint
  // A required list is null if it was not set.
  const addresses = endpoint.addresses ?? []
  const labels = Object.keys(deprecatedTopology).length
  const invalid = (field: string, value: string | undefined, rule: (value: string) => string[]) =>
    value === undefined ? [] : rule(value).map(text => invalidValue(`${at}.${field}`, value, text))
  return [
    ...(addresses.length === 0 ? [requiredValue(`${at}.addresses`, 'must contain at least 1 address')] : []),
    ...(addresses.length > limits.addresses ? [tooMany(`${at}.addresses`, addresses.length, limits.addresses)] : []),
    ...addresses.flatMap((address, index) =>
      rules.areReportedOnce
        ? validateAddressOnce(address, `${at}.addresses[${index}]`, addressType, `${at}.addresses`, rules)
        : validateAddress(address, `${at}.addresses[${index}]`, addressType),
    ),
    ...invalid('nodeName', nodeName, isDns1123Subdomain),
    ...(labels > limits.topologyLabels ? [tooMany(`${at}.deprecatedTopology`, labels, limits.topologyLabels)] : []),
    ...validateLabels(deprecatedTopology, `${at}.deprecatedTopology`),
    ...(hints ? validateHints(hints, `${at}.hints`) : []),
    ...invalid('hostname', hostname, isDns1123Label),
  ]
}

/** An IPv4 address in the form of an IPv6 address; it counts as the former. */
const isMapped = (ip: string): boolean => ip.includes(':') && !canonicalIp(ip).includes(':')
const isAnyIpv4 = (ip: string): string[] => (isMapped(ip) ? [] : isValidIpv4(ip))
const isPlainIpv6 = (ip: string): string[] => (isMapped(ip) ? ['must be a valid IPv6 address'] : isValidIpv6(ip))

/** A domain has a dot in it, and labels on both sides. */
function isFullDomain(name: string): string[] {
  const texts = isDns1123Subdomain(name)
  if (texts.length > 0) return texts
  const labels = name.split('.')
  if (labels.length < 2) return ['should be a domain with at least two segments separated by dots']
  return labels.map(isDns1123Label).find(wrong => wrong.length > 0) ?? []
}

function validateAddress(address: string, field: string, addressType: string): FieldError[] {
  const broken = (texts: string[]) => texts.map(text => invalidValue(field, address, text))
  if (addressType === 'FQDN' && address === '') return [requiredValue(field)]
  if (addressType === 'FQDN') return broken(isFullDomain(address.replace(/\.$/, '')))
  const rule = ownValue({ IPv4: isAnyIpv4, IPv6: isPlainIpv6 }, addressType)
  if (!rule) return []
  const noAddress = isValidIp(address)
  // An invalid address is reported twice, as in the reference.
  return [...broken(rule(address)), ...(noAddress.length > 0 ? broken(noAddress) : checkNotSpecialIp(address, field))]
}

function validateAddressOnce(
  address: string,
  field: string,
  addressType: string,
  listField: string,
  { areStrict = false }: AddressRules,
): FieldError[] {
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return validateAddress(address, field, addressType)
  const [broken] = (areStrict || addressType === 'IPv6' ? isStrictIp : isValidIp)(address)
  if (broken !== undefined) return [invalidValue(field, address, broken)]
  const canonical = canonicalIp(address)
  const isIpv4 = !canonical.includes(':')
  if (addressType === 'IPv6' && address !== canonical)
    return [invalidValue(field, address, `must be in canonical form (${JSON.stringify(canonical)})`)]
  return [
    ...(isIpv4 === (addressType === 'IPv4')
      ? []
      : [invalidValue(listField, address, `must be an ${addressType} address`)]),
    ...checkNotSpecialIp(address, field),
  ]
}

/** Names of nodes are not checked if there are too many zones. */
function validateHints({ forZones = [], forNodes = [] }: EndpointHints, field: string): FieldError[] {
  const ofZones = validateNames(forZones, `${field}.forZones`, isValidLabelValue)
  if (forZones.length > limits.hints) return ofZones
  return [...ofZones, ...validateNames(forNodes, `${field}.forNodes`, isDns1123Subdomain)]
}

function validateNames(
  names: readonly { name: string }[],
  field: string,
  rule: (name: string) => string[],
): FieldError[] {
  const seen = new Set<string>()
  return atMost(names, limits.hints, field, ({ name }, at) => {
    const isRepeated = seen.has(name)
    seen.add(name)
    return [
      ...(isRepeated ? [duplicate(`${at}.name`, name)] : []),
      ...rule(name).map(text => invalidValue(`${at}.name`, name, text)),
    ]
  })
}

function validatePorts(ports: readonly EndpointPort[]): FieldError[] {
  const seen = new Set<string>()
  return atMost(ports, limits.ports, 'ports', ({ name = '', protocol, appProtocol }, at) => {
    const isRepeated = seen.has(name)
    seen.add(name)
    return [
      ...(name === '' ? [] : isDns1123Label(name)).map(text => invalidValue(`${at}.name`, name, text)),
      ...(isRepeated ? [duplicate(`${at}.name`, name)] : []),
      ...(protocol === undefined ? [requiredValue(`${at}.protocol`)] : oneOf(protocol, `${at}.protocol`, protocols)),
      ...(appProtocol === undefined ? [] : isQualifiedName(appProtocol)).map(text =>
        invalidValue(`${at}.appProtocol`, appProtocol, text),
      ),
    ]
  })
}
