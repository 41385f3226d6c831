import { isDeepStrictEqual } from 'node:util'
import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  isValidCidr,
  isValidIpv4,
  isValidLabelValue,
  labelKeyErrors,
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

function validateTaints(taints: readonly Taint[]): FieldError[] {
  const seen = new Set<string>()
  return taints.flatMap((taint, i) => {
    const at = `spec.taints[${i}]`
    const { key, value = '', effect } = taint
    const errors = [
      ...labelKeyErrors(key, `${at}.key`),
      ...isValidLabelValue(value).map(text => invalidValue(`${at}.value`, value, text)),
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
      validateResourceAmount(name, amount, `status.${list}[${name}]`, vendor),
    ),
  )

function validateRanges(ranges: readonly string[]): FieldError[] {
  const errors = ranges.flatMap((range, i) =>
    isValidCidr(range).map(text => invalidValue(`spec.podCIDRs[${i}]`, range, text)),
  )
  const isV4 = (range: string) => isValidIpv4(range.split('/')[0] ?? '').length === 0
  const isDualStack = ranges.length === 2 && isV4(ranges[0] ?? '') !== isV4(ranges[1] ?? '')
  if (ranges.length > 1 && !isDualStack)
    errors.push(invalidValue('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family'))
  return errors
}

/** A node keeps what it was given once; only scheduling and taints, and metadata, change on the main path. */
export function validateNodeUpdate(sent: Node, stored: Node, vendor: Vendor): FieldError[] {
  const errors = validateNode(sent, vendor)
  const addresses = new Set<string>()
  for (const [i, address] of (sent.status?.addresses ?? []).entries()) {
    const identity = JSON.stringify(address)
    if (addresses.has(identity)) errors.push(duplicate(`status.addresses[${i}]`, address))
    addresses.add(identity)
  }
  const before = stored.spec ?? {}
  const after = sent.spec ?? {}
  const ranges = before.podCIDRs ?? []
  if (ranges.length > 0 && !isDeepStrictEqual(after.podCIDRs ?? [], ranges))
    errors.push(forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'))
  if (before.providerID && after.providerID !== before.providerID)
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  return errors
}
