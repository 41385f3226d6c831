import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  isQualifiedName,
  isValidCidr,
  isValidIpv4,
  isValidLabelValue,
  notSupported,
  required,
  type Taint,
  taintEffects,
  type Vendor,
  validateResourceAmount,
} from 'orch/sdk'
import type { Node } from './schema.js'

export const validateNode = (node: Node, vendor: Vendor): FieldError[] => [
  ...validateTaints(node.spec?.taints ?? []),
  ...validateResources(node, vendor),
  ...validateRanges(node.spec?.podCIDRs ?? []),
]

/** What is wrong with taints stands where clients know it: at the metadata. */
function validateTaints(taints: readonly Taint[]): FieldError[] {
  const seen = new Set<string>()
  return taints.flatMap((taint, i) => {
    const at = `metadata.taints[${i}]`
    const { key, value = '', effect } = taint
    const broken = isValidLabelValue(value)
    const errors = [
      ...isQualifiedName(key).map(text => invalidValue(`${at}.key`, key, text)),
      ...(broken.length === 0 ? [] : [invalidValue(`${at}.value`, value, broken.join(';'))]),
    ]
    if (effect === '') errors.push(required(`${at}.effect`))
    else if (!taintEffects.some(known => known === effect))
      errors.push(notSupported(`${at}.effect`, effect, taintEffects))
    const identity = `${key}:${effect}`
    if (seen.has(identity))
      errors.push({ ...duplicate(at, taint), detail: 'taints must be unique by key and effect pair' })
    seen.add(identity)
    return errors
  })
}

const validateResources = ({ status }: Node, vendor: Vendor): FieldError[] =>
  (['capacity', 'allocatable'] as const).flatMap(list =>
    Object.entries(status?.[list] ?? {}).flatMap(([name, amount]) =>
      validateResourceAmount(name, amount, `status.${list}.${name}`, vendor),
    ),
  )

function validateRanges(ranges: readonly string[]): FieldError[] {
  const at = 'spec.podCIDRs'
  const errors = ranges.flatMap((range, i) =>
    isValidCidr(range).length === 0 ? [] : [invalidValue(`${at}[${i}]`, ranges, 'must be valid CIDR')],
  )
  if (ranges.length < 2) return errors
  if (errors.length > 0) errors.push({ type: 'InternalError', field: at, detail: 'failed to check for dual stack' })
  const isV4 = (range: string) => isValidIpv4(range.split('/')[0] ?? '').length === 0
  const isDualStack = errors.length === 0 && ranges.length === 2 && isV4(ranges[0] ?? '') !== isV4(ranges[1] ?? '')
  if (!isDualStack) errors.push(invalidValue(at, ranges, 'may specify no more than one CIDR for each IP family'))
  const repeated = ranges.flatMap((range, i) => (ranges.indexOf(range) < i ? [duplicate(`${at}[${i}]`, range)] : []))
  return [...errors, ...repeated]
}

/** On the main path clients see the errors of the node and of its update, some of them twice, as from the reference. */
export const validateNodeReplacement = (sent: Node, stored: Node, vendor: Vendor): FieldError[] => [
  ...validateNode(sent, vendor),
  ...validateNodeUpdate(sent, stored, vendor),
]

/** A node keeps what it was given once; only scheduling and taints, and metadata, change on the main path. */
export function validateNodeUpdate(sent: Node, stored: Node, vendor: Vendor): FieldError[] {
  const errors = [...validateTaints(sent.spec?.taints ?? []), ...validateResources(sent, vendor)]
  const addresses = new Set<string>()
  for (const [i, address] of (sent.status?.addresses ?? []).entries()) {
    const identity = JSON.stringify(address)
    if (addresses.has(identity)) errors.push(duplicate(`status.addresses[${i}]`, address))
    addresses.add(identity)
  }
  const before = stored.spec ?? {}
  const after = sent.spec ?? {}
  errors.push(...checkRangesKept(after.podCIDRs ?? [], before.podCIDRs ?? []))
  if (before.providerID && after.providerID !== before.providerID)
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  if ((before.externalID ?? '') !== (after.externalID ?? ''))
    errors.push(forbiddenField('spec.externalID', 'may not be updated'))
  return errors
}

function checkRangesKept(sent: readonly string[], stored: readonly string[]): FieldError[] {
  const changed = forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')
  if (stored.length === 0) return []
  return sent.length === stored.length ? stored.filter((range, i) => range !== sent[i]).map(() => changed) : [changed]
}
