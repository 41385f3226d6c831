import {
  addAll,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  strategyForStatus,
  type Vendor,
} from 'orch/sdk'
import { dropFormerAnnotations, type Pod } from 'orch/sdk/core'
import { isDns1123Subdomain, isQualifiedName } from 'orch/sdk/validation'
import {
  boundPodsHaveNoNomination,
  claimNamePath,
  conditionPath,
  fixedServiceClass,
  keptGenerations,
  statusKeepsGatedFields,
} from './differences.js'
import { keepObservedGenerations } from './observed-generations.js'
import { validateRestarts } from './restarts.js'
import { addressWarnings, validateAddresses } from './status-addresses.js'
import { validateAnnotationsUpdate } from './update-validation.js'
import { validateAllocations, validateExtendedClaim } from './validate-allocations.js'

/** The node agent writes the status; the spec and owner references do not change. */
export const statusStrategy = ({ level }: Vendor) =>
  strategyForStatus<Pod>({
    keepsGatedFields: level.has(statusKeepsGatedFields),
    warnings: (pod, _, { vendor }) => addressWarnings(pod, vendor),
    prepareForUpdate(draft, stored, { vendor }) {
      dropFormerAnnotations(draft, vendor)
      draft.metadata = { ...draft.metadata, ownerReferences: stored.metadata?.ownerReferences }
      // Node agents omit the class of a Pod that they reject.
      const { qosClass } = stored.status ?? {}
      if (qosClass !== undefined && !draft.status?.qosClass && level.has(fixedServiceClass))
        draft.status = { ...draft.status, qosClass }
      if (level.has(keptGenerations)) keepObservedGenerations(draft, stored)
    },
    validateUpdate: (sent, stored, { vendor }) => [
      ...validateAnnotationsUpdate(sent, stored, vendor),
      ...validateConditions(sent, vendor),
      ...validateNomination(sent, stored, vendor),
      ...validateGeneration(sent),
      ...(vendor.level.has(fixedServiceClass) ? checkServiceClass(sent, stored) : []),
      ...validateRestarts(sent, stored, vendor),
      ...validateClaimStatuses(sent, vendor),
      ...validateExtendedClaim(sent),
      ...validateAddresses(sent, stored, vendor),
      ...validateUsers(sent),
      ...validateAllocations(sent),
    ],
    resetFields: ['metadata.deletionTimestamp', 'metadata.ownerReferences'],
  })

function validateNomination(sent: Pod, stored: Pod, { level }: Vendor): FieldError[] {
  const field = 'status.nominatedNodeName'
  const name = sent.status?.nominatedNodeName ?? ''
  if (name === '' || name === stored.status?.nominatedNodeName) return []
  const errors = isDns1123Subdomain(name).map(text => invalidValue(field, name, text))
  if (stored.spec.nodeName && level.has(boundPodsHaveNoNomination))
    errors.push(forbiddenField(field, 'may not be set on pods that are already bound to a node'))
  return errors
}

const mustNotBeNegative = 'must be a non-negative integer'
const validateGeneration = ({ status }: Pod): FieldError[] =>
  (status?.observedGeneration ?? 0) < 0
    ? [invalidValue('status.observedGeneration', status?.observedGeneration, mustNotBeNegative)]
    : []

const checkServiceClass = ({ status }: Pod, stored: Pod): FieldError[] =>
  status?.qosClass === stored.status?.qosClass
    ? []
    : [invalidValue('status.qosClass', status?.qosClass ?? '', 'field is immutable')]

/** The claims that were created for the Pod must correspond to entries in its spec. */
function validateClaimStatuses({ spec, status }: Pod, { level }: Vendor): FieldError[] {
  const claimField = level.has(claimNamePath) ? 'resourceClaimName' : 'name'
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name))
  const taken = new Set<string>()
  return (status?.resourceClaimStatuses ?? []).flatMap(({ name, resourceClaimName }, i) => {
    const at = `status.resourceClaimStatuses[${i}]`
    const errors: FieldError[] = []
    if (!known.has(name))
      errors.push(invalidValue(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`'))
    if (taken.has(name)) errors.push(duplicate(`${at}.name`, name))
    taken.add(name)
    if (resourceClaimName !== undefined)
      addAll(
        errors,
        isDns1123Subdomain(resourceClaimName).map(text => invalidValue(`${at}.${claimField}`, resourceClaimName, text)),
      )
    return errors
  })
}

const maxId = 0x7fffffff
/** The users of containers, as reported by their node. */
function validateUsers({ spec, status }: Pod): FieldError[] {
  return (['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const).flatMap(list =>
    (status?.[list] ?? []).flatMap(({ user }, i) => {
      const at = `status.${list}[${i}].user.linux`
      if (!user?.linux) return []
      if (spec.os?.name === 'windows') return [forbiddenField(at, 'cannot be set for a windows pod')]
      const { uid, gid, supplementalGroups = [] } = user.linux
      const ids = [
        [`${at}.uid`, uid],
        [`${at}.gid`, gid],
        ...supplementalGroups.map((id, g) => [`${at}.supplementalGroups[${g}]`, id] as const),
      ] as const
      return ids.flatMap(([field, id]) =>
        id >= 0 && id <= maxId ? [] : [invalidValue(field, id, `must be between 0 and ${maxId}, inclusive`)],
      )
    }),
  )
}

const systemConditions = ['PodScheduled', 'Ready', 'Initialized']
/** Custom conditions have qualified names. The field of the error is that of the reference. */
function validateConditions({ status }: Pod, { level }: Vendor): FieldError[] {
  const at = `${level.has(conditionPath) ? 'status' : 'metadata'}.conditions`
  return (status?.conditions ?? []).flatMap(({ type, observedGeneration = 0 }, i) => [
    ...(observedGeneration < 0
      ? [invalidValue(`${at}[${i}].observedGeneration`, observedGeneration, mustNotBeNegative)]
      : []),
    ...(systemConditions.includes(type)
      ? []
      : isQualifiedName(type).map(text => invalidValue(`${at}[${i}].Type`, type, text))),
  ])
}
