import { addAll, duplicate, type FieldError, forbiddenField, invalidValue, type Vendor } from 'orch/sdk'
import { validateResourceAmount } from 'orch/sdk/core'
import { isStrictCidr, isValidCidr, isValidIpv4, repeats } from 'orch/sdk/validation'
import { rangesMayRepeat } from '../differences.js'
import type { Node } from './schema.js'
import { validateNodeAnnotations } from './validate-annotations.js'
import { validateTaints } from './validate-taints.js'

/** The reference reports errors of taints at metadata.taints. */
const checkTaints = ({ spec }: Node): FieldError[] => validateTaints(spec?.taints ?? [], 'metadata.taints')

export const validateNode = (
  node: Node,
  vendor: Vendor,
  { strictCidrs }: { readonly strictCidrs: boolean } = { strictCidrs: false },
): FieldError[] => [
  ...validateNodeAnnotations(node, vendor),
  ...checkTaints(node),
  ...validateResources(node, vendor),
  ...validateSwap(node),
  ...validateDeclaredFeatures(node),
  ...validateRanges(node.spec?.podCIDRs ?? [], { strictCidrs, mayRepeat: vendor.level.has(rangesMayRepeat) }),
]

/** The path is that of the reference. */
const validateSwap = ({ status }: Node): FieldError[] => {
  const capacity = status?.nodeInfo?.swap?.capacity
  return capacity !== undefined && capacity <= 0
    ? [invalidValue('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')]
    : []
}

const maxFeatureNameLength = 253
const featureName = /^[A-Z][a-zA-Z0-9]*(?:\/[a-zA-Z][a-zA-Z0-9]*)*$/
/** Features must be sorted and unique. */
function validateDeclaredFeatures({ status }: Node): FieldError[] {
  const features = status?.declaredFeatures ?? []
  return features.flatMap((feature, i) => {
    const at = `status.declaredFeatures[${i}]`
    const before = features[i - 1]
    return [
      ...(before === feature ? [duplicate(at, feature)] : []),
      ...(before !== undefined && before > feature
        ? [invalidValue(at, feature, 'list must be sorted alphabetically')]
        : []),
      ...(feature.length <= maxFeatureNameLength && featureName.test(feature)
        ? []
        : [
            invalidValue(
              at,
              feature,
              `must be a name such as MyFeature or MyFeature/mySubFeature, of at most ${maxFeatureNameLength} characters`,
            ),
          ]),
    ]
  })
}

/** A resource without a name is shown as an index. */
const validateResources = ({ status }: Node, vendor: Vendor): FieldError[] =>
  (['capacity', 'allocatable'] as const).flatMap(list =>
    Object.entries(status?.[list] ?? {}).flatMap(([name, amount]) =>
      validateResourceAmount(name, amount, `status.${list}${name === '' ? '[]' : `.${name}`}`, vendor),
    ),
  )

function validateRanges(
  ranges: readonly string[],
  { strictCidrs, mayRepeat }: { readonly strictCidrs: boolean; readonly mayRepeat: boolean },
): FieldError[] {
  const at = 'spec.podCIDRs'
  const errors = ranges.flatMap((range, i) =>
    (strictCidrs ? isStrictCidr : isValidCidr)(range).map(text => invalidValue(`${at}[${i}]`, range, text)),
  )
  if (ranges.length < 2) return errors
  if (ranges.some(range => isValidCidr(range).length > 0))
    errors.push({ type: 'InternalError', field: at, detail: 'failed to check for dual stack' })
  const isV4 = (range: string) => isValidIpv4(range.split('/')[0] ?? '').length === 0
  const isDualStack =
    ranges.every(range => isValidCidr(range).length === 0) &&
    ranges.length === 2 &&
    isV4(ranges[0] ?? '') !== isV4(ranges[1] ?? '')
  if (!isDualStack) errors.push(invalidValue(at, ranges, 'may specify no more than one CIDR for each IP family'))
  if (mayRepeat) return errors
  const repeated = repeats(ranges).flatMap((isRepeat, i) => (isRepeat ? [duplicate(`${at}[${i}]`, ranges[i])] : []))
  return [...errors, ...repeated]
}

/**
 * On the main resource the errors of the node and of its update are reported, some of them twice, as by the reference.
 */
export const validateNodeReplacement = (
  sent: Node,
  stored: Node,
  vendor: Vendor,
  gates?: { readonly strictCidrs: boolean },
): FieldError[] => [...validateNode(sent, vendor, gates), ...validateNodeUpdate(sent, stored, vendor)]

/** Address ranges and the provider id are immutable once set. */
export function validateNodeUpdate(sent: Node, stored: Node, vendor: Vendor): FieldError[] {
  const errors = [
    ...validateNodeAnnotations(sent, vendor),
    ...validateResources(sent, vendor),
    ...validateDeclaredFeatures(sent),
  ]
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
