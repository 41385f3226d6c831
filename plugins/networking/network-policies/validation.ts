import { addAll, type FieldError, forbiddenField, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { isInCidr, isValidCidr, isValidPortName, isValidPortNumber, validateLabelSelector } from 'orch/sdk/validation'
import { rangeRule } from '../address-rules.js'
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from './schema.js'

/** A range of addresses, and strict subsets of it that are excepted. */
function validateIpBlock({ cidr, except = [] }: IPBlock, field: string, rules: PolicyRules): FieldError[] {
  if (cidr === '') return [requiredValue(`${field}.cidr`)]
  const { areStrict = false, known, checksAllExceptions = true } = rules
  // What a stored policy has may stay, wherever it is in the new one.
  const problemsOf = rangeRule(areStrict, known)
  const errors = problemsOf(cidr).map(text => invalidValue(`${field}.cidr`, cidr, text))
  if (isValidCidr(cidr).length > 0) return errors
  for (const [i, part] of except.entries()) {
    const at = `${field}.except[${i}]`
    addAll(
      errors,
      problemsOf(part).map(text => invalidValue(at, part, text)),
    )
    const isRange = isValidCidr(part).length === 0
    if (!isRange && !checksAllExceptions) return errors
    if (isRange && !isStrictlyInside(part, cidr))
      errors.push(invalidValue(at, part, 'must be a strict subset of `cidr`'))
  }
  return errors
}

/** The ranges of addresses of a policy with their exceptions, and where they are. */
export function blocksOf({ spec }: NetworkPolicy): { readonly at: string; readonly block: IPBlock }[] {
  const inPeers = (peers: readonly NetworkPolicyPeer[] = [], field: string) =>
    peers.flatMap(({ ipBlock: block }, i) => (block ? [{ at: `${field}[${i}].ipBlock`, block }] : []))
  return [
    ...(spec?.ingress ?? []).flatMap(({ from }, i) => inPeers(from, `spec.ingress[${i}].from`)),
    ...(spec?.egress ?? []).flatMap(({ to }, i) => inPeers(to, `spec.egress[${i}].to`)),
  ]
}
export const rangesOf = (policy: NetworkPolicy): ReadonlySet<string> =>
  new Set(blocksOf(policy).flatMap(({ block: { cidr, except = [] } }) => [cidr, ...except]))

function isStrictlyInside(part: string, whole: string): boolean {
  const [address = '', bits] = part.split('/')
  return Number(bits) > Number(whole.split('/')[1]) && isInCidr(address, whole)
}

export interface PolicyRules {
  /** Whether values in selectors must be valid. */
  readonly checksValues?: boolean
  /** Whether ranges must be canonical, except those that are known. */
  readonly areStrict?: boolean
  readonly known?: ReadonlySet<string>
  /** Whether the exceptions after an invalid one are checked, too. */
  readonly checksAllExceptions?: boolean
}

const protocols = ['TCP', 'UDP', 'SCTP'] as const
const policyTypes = ['Ingress', 'Egress'] as const

export function validatePolicy({ spec }: NetworkPolicy, rules: PolicyRules = {}): FieldError[] {
  const { podSelector, ingress = [], egress = [], policyTypes: types = [] } = spec ?? {}
  const errors = [
    ...validateLabelSelector(podSelector, 'spec.podSelector', rules),
    ...ingress.flatMap(({ ports, from }, i) => [
      ...validatePorts(ports, `spec.ingress[${i}].ports`),
      ...validatePeers(from, `spec.ingress[${i}].from`, rules),
    ]),
    ...egress.flatMap(({ ports, to }, i) => [
      ...validatePorts(ports, `spec.egress[${i}].ports`),
      ...validatePeers(to, `spec.egress[${i}].to`, rules),
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
export const validatePolicyUpdate = (sent: NetworkPolicy, isCheckedOnce: boolean, rules: PolicyRules): FieldError[] => [
  ...validatePolicy(sent, rules),
  ...(isCheckedOnce ? [] : validatePolicy(sent, rules)),
]

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

const validatePeers = (peers: readonly NetworkPolicyPeer[] = [], field: string, rules: PolicyRules): FieldError[] =>
  peers.flatMap((peer, i) => validatePeer(peer, `${field}[${i}]`, rules))

function validatePeer(
  { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer,
  field: string,
  rules: PolicyRules,
): FieldError[] {
  const errors = [
    ...validateLabelSelector(podSelector, `${field}.podSelector`, rules),
    ...validateLabelSelector(namespaceSelector, `${field}.namespaceSelector`, rules),
    ...(ipBlock ? validateIpBlock(ipBlock, `${field}.ipBlock`, rules) : []),
  ]
  if (!podSelector && !namespaceSelector && !ipBlock) errors.push(requiredValue(field, 'must specify a peer'))
  else if (ipBlock && (podSelector || namespaceSelector))
    errors.push(forbiddenField(field, 'may not specify both ipBlock and another peer'))
  return errors
}
