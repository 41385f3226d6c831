import {
  addAll,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  isValidCidr,
  isValidIpv4,
  repeats,
  type Vendor,
} from 'orch/sdk'
import { validateResourceAmount } from 'orch/sdk/core'
import type { Node } from './schema.js'
import { validateNodeAnnotations } from './validate-annotations.js'
import { validateTaints } from './validate-taints.js'

/** What is wrong with taints stands where clients know it: at the metadata. */
const checkTaints = ({ spec }: Node): FieldError[] => validateTaints(spec?.taints ?? [], 'metadata.taints')

export const validateNode = (node: Node, vendor: Vendor): FieldError[] => [
  ...validateNodeAnnotations(node, vendor),
  ...checkTaints(node),
  ...validateResources(node, vendor),
  ...validateRanges(node.spec?.podCIDRs ?? []),
]

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
  const repeated = repeats(ranges).flatMap((isRepeat, i) => (isRepeat ? [duplicate(`${at}[${i}]`, ranges[i])] : []))
  return [...errors, ...repeated]
}

/** On the main path clients see the errors of the node and of its update, some of them twice, as from the reference. */
export const validateNodeReplacement = (sent: Node, stored: Node, vendor: Vendor): FieldError[] => [
  ...validateNode(sent, vendor),
  ...validateNodeUpdate(sent, stored, vendor),
]

/** A node keeps what it was given once; only scheduling and taints, and metadata, change on the main path. */
export function validateNodeUpdate(sent: Node, stored: Node, vendor: Vendor): FieldError[] {
  const errors = [...validateNodeAnnotations(sent, vendor), ...validateResources(sent, vendor)]
  const addresses = new Set<string>()
  for (const [i, address] of (sent.status?.addresses ?? []).entries()) {
    const identity = JSON.stringify([address.type, address.address])
    if (addresses.has(identity)) errors.push(duplicate(`status.addresses[${i}]`, address))
    addresses.add(identity)
  }
  const before = stored.spec ?? {}
  const after = sent.spec ?? {}
  addAll(errors, checkRangesKept(after.podCIDRs ?? [], before.podCIDRs ?? []))
  if (before.providerID && after.providerID !== before.providerID)
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  addAll(errors, checkTaints(sent))
  if ((before.externalID ?? '') !== (after.externalID ?? ''))
    errors.push(forbiddenField('spec.externalID', 'may not be updated'))
  return errors
}

function checkRangesKept(sent: readonly string[], stored: readonly string[]): FieldError[] {
  const changed = forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')
  if (stored.length === 0) return []
  return sent.length === stored.length ? stored.filter((range, i) => range !== sent[i]).map(() => changed) : [changed]
}
