import { addAll, type FieldError, forbiddenField, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { isInCidr, isValidCidr, isValidPortName, isValidPortNumber, validateLabelSelector } from 'orch/sdk/validation'
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from './schema.js'

/** A range of addresses, and strict subsets of it that are excepted. */
function validateIpBlock({ cidr, except = [] }: IPBlock, field: string): FieldError[] {
  if (cidr === '') return [requiredValue(`${field}.cidr`)]
  if (isValidCidr(cidr).length > 0) return [invalidValue(`${field}.cidr`, cidr, 'not a valid CIDR')]
  const errors: FieldError[] = []
  for (const [i, part] of except.entries()) {
    const at = `${field}.except[${i}]`
    // The ranges after an invalid one are not validated.
    if (isValidCidr(part).length > 0) return [...errors, invalidValue(at, part, 'not a valid CIDR')]
    if (!isStrictlyInside(part, cidr)) errors.push(invalidValue(at, part, 'must be a strict subset of `cidr`'))
  }
  return errors
}

function isStrictlyInside(part: string, whole: string): boolean {
  const [address = '', bits] = part.split('/')
  return Number(bits) > Number(whole.split('/')[1]) && isInCidr(address, whole)
}

/** Whether values in selectors must be valid. */
interface SelectorRules {
  readonly checksValues?: boolean
}

const protocols = ['TCP', 'UDP', 'SCTP'] as const
const policyTypes = ['Ingress', 'Egress'] as const

export function validatePolicy({ spec }: NetworkPolicy, values: SelectorRules = {}): FieldError[] {
  const { podSelector, ingress = [], egress = [], policyTypes: types = [] } = spec ?? {}
  const errors = [
    ...validateLabelSelector(podSelector, 'spec.podSelector', values),
    ...ingress.flatMap(({ ports, from }, i) => [
      ...validatePorts(ports, `spec.ingress[${i}].ports`),
      ...validatePeers(from, `spec.ingress[${i}].from`, values),
    ]),
    ...egress.flatMap(({ ports, to }, i) => [
      ...validatePorts(ports, `spec.egress[${i}].ports`),
      ...validatePeers(to, `spec.egress[${i}].to`, values),
    ]),
  ]
  if (types.length > policyTypes.length)
    return [...errors, invalidValue('spec.policyTypes', types, 'may not specify more than two policyTypes')]
  const unknown = types.flatMap((type, i) =>
    policyTypes.some(known => known === type) ? [] : [notSupported(`spec.policyTypes[${i}]`, type, policyTypes)],
  )
  return [...errors, ...unknown]
}

/** Before `policiesAreCheckedOnce`, errors of the object are reported twice. */
export const validatePolicyUpdate = (
  sent: NetworkPolicy,
  isCheckedOnce: boolean,
  values: SelectorRules,
): FieldError[] => [...validatePolicy(sent, values), ...(isCheckedOnce ? [] : validatePolicy(sent, values))]

const validatePorts = (ports: readonly NetworkPolicyPort[] = [], field: string): FieldError[] =>
  ports.flatMap((port, i) => validatePort(port, `${field}[${i}]`))

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (protocol !== undefined && !protocols.some(known => known === protocol))
    errors.push(notSupported(`${field}.protocol`, protocol, protocols))
  const end = `${field}.endPort`
  const wrongEnd = (detail: string) => (endPort === undefined ? [] : [invalidValue(end, endPort, detail)])
  if (port === undefined) addAll(errors, wrongEnd('may not be specified when `port` is not specified'))
  else if (typeof port === 'string') {
    addAll(errors, wrongEnd('may not be specified when `port` is non-numeric'))
    addAll(
      errors,
      isValidPortName(port).map(text => invalidValue(`${field}.port`, port, text)),
    )
  } else {
    addAll(
      errors,
      isValidPortNumber(port).map(text => invalidValue(`${field}.port`, port, text)),
    )
    if (endPort !== undefined) {
      if (endPort < port) errors.push(invalidValue(end, endPort, 'must be greater than or equal to `port`'))
      addAll(
        errors,
        isValidPortNumber(endPort).map(text => invalidValue(end, endPort, text)),
      )
    }
  }
  return errors
}

const validatePeers = (peers: readonly NetworkPolicyPeer[] = [], field: string, values: SelectorRules): FieldError[] =>
  peers.flatMap((peer, i) => validatePeer(peer, `${field}[${i}]`, values))

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  field: string,
  values: SelectorRules,
): FieldError[] {
  const errors = [
    ...validateLabelSelector(podSelector, `${field}.podSelector`, values),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`, values),
    ...(ipBlock ? validateIpBlock(ipBlock, `${field}.ipBlock`) : []),
  ]
  if (!podSelector && !namespaceSelector && !ipBlock) errors.push(requiredValue(field, 'must specify a peer'))
  else if (ipBlock && (podSelector || namespaceSelector))
    errors.push(forbiddenField(field, 'may not specify both ipBlock and another peer'))
  return errors
}
