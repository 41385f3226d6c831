import {
  addAll,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  strategyForStatus,
  type Vendor,
} from 'orch/sdk'
import { type ContainerStatus, dropFormerAnnotations, type Pod, warningsAboutIp } from 'orch/sdk/core'
import { isDns1123Subdomain, isQualifiedName, isValidIp, isValidIpv4 } from 'orch/sdk/validation'
import {
  boundPodsHaveNoNomination,
  claimNamePath,
  fixedServiceClass,
  statusAddressWarnings,
  statusKeepsGatedFields,
  strictAddresses,
} from './differences.js'
import { validateAnnotationsUpdate } from './update-validation.js'
import { validateAllocations, validateExtendedClaim } from './validate-allocations.js'

/** The node agent writes the status; the spec and owner references do not change. */
export const statusStrategy = ({ level }: Vendor) =>
  strategyForStatus<Pod>({
    keepsGatedFields: level.has(statusKeepsGatedFields),
    warnings: ({ status }) => (level.has(statusAddressWarnings) ? addressWarnings(status) : []),
    prepareForUpdate(draft, stored, { vendor }) {
      dropFormerAnnotations(draft, vendor)
      draft.metadata = { ...draft.metadata, ownerReferences: stored.metadata?.ownerReferences }
      // Node agents omit the class of a Pod that they reject.
      const { qosClass } = stored.status ?? {}
      if (qosClass !== undefined && !draft.status?.qosClass && level.has(fixedServiceClass))
        draft.status = { ...draft.status, qosClass }
    },
    validateUpdate: (sent, stored, { vendor }) => [
      ...validateAnnotationsUpdate(sent, stored, vendor),
      ...validateConditions(sent),
      ...validateNomination(sent, stored, vendor),
      ...validateGeneration(sent),
      ...(vendor.level.has(fixedServiceClass) ? checkServiceClass(sent, stored) : []),
      ...validateTransitions(sent, stored, 'containerStatuses', stored.spec.restartPolicy),
      ...validateTransitions(sent, stored, 'initContainerStatuses', stored.spec.restartPolicy),
      // Ephemeral containers are never restarted.
      ...validateTransitions(sent, stored, 'ephemeralContainerStatuses', 'Never'),
      ...validateClaimStatuses(sent, vendor),
      ...validateExtendedClaim(sent),
      ...validateAddresses(sent),
      ...(vendor.level.has(strictAddresses) ? checkNewAddresses(sent, stored) : []),
      ...validateHostAddresses(sent),
      ...validateUsers(sent),
      ...validateAllocations(sent),
    ],
    resetFields: ['metadata.deletionTimestamp', 'metadata.ownerReferences'],
  })

const addressWarnings = ({ podIPs = [], hostIPs = [] }: NonNullable<Pod['status']> = {}): string[] => [
  ...podIPs.flatMap(({ ip = '' }, i) => warningsAboutIp(`status.podIPs[${i}].ip`, ip)),
  ...hostIPs.flatMap(({ ip = '' }, i) => warningsAboutIp(`status.hostIPs[${i}].ip`, ip)),
]

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

/** Programs disagree about the meaning of such addresses, so new ones are rejected. */
function checkNewAddresses({ status }: Pod, stored: Pod): FieldError[] {
  const known = new Set((stored.status?.podIPs ?? []).map(({ ip }) => ip))
  return (status?.podIPs ?? []).flatMap(({ ip = '' }, i) => {
    const at = `status.podIPs[${i}]`
    if (known.has(ip) || isValidIp(ip).length > 0) return []
    if (/^\d+(\.\d+){3}$/.test(ip) && /(^|\.)0\d/.test(ip)) return [invalidValue(at, ip, 'must not have leading 0s')]
    return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(ip)
      ? [invalidValue(at, ip, 'must not be an IPv4-mapped IPv6 address')]
      : []
  })
}

function validateHostAddresses({ status }: Pod): FieldError[] {
  const addresses = (status?.hostIPs ?? []).map(({ ip }) => ip)
  if (addresses.length === 0) return []
  const at = 'status.hostIPs'
  const errors: FieldError[] = []
  if (addresses[0] !== (status?.hostIP ?? ''))
    errors.push(invalidValue(`${at}[0].ip`, addresses[0], 'must be equal to `hostIP`'))
  for (const [i, ip] of addresses.entries())
    addAll(
      errors,
      isValidIp(ip).map(text => invalidValue(`${at}[${i}]`, ip, text)),
    )
  const families = new Set(addresses.map(ip => isValidIpv4(ip).length === 0))
  if (addresses.length > 1 && (addresses.length > 2 || families.size < 2))
    errors.push(invalidValue(at, status?.hostIPs, 'may specify no more than one IP for each IP family'))
  return errors
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
const validateConditions = ({ status }: Pod): FieldError[] =>
  (status?.conditions ?? []).flatMap(({ type, observedGeneration = 0 }, i) => [
    ...(observedGeneration < 0
      ? [invalidValue(`status.conditions[${i}].observedGeneration`, observedGeneration, mustNotBeNegative)]
      : []),
    ...(systemConditions.includes(type)
      ? []
      : isQualifiedName(type).map(text => invalidValue(`metadata.conditions[${i}].Type`, type, text))),
  ])

/** A container that terminated permanently does not restart. */
function validateTransitions(
  sent: Pod,
  stored: Pod,
  list: 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses',
  restartPolicy: string | undefined,
): FieldError[] {
  if (restartPolicy === 'Always') return []
  const isFinal = ({ state }: ContainerStatus) =>
    state?.terminated !== undefined && (restartPolicy !== 'OnFailure' || state.terminated.exitCode === 0)
  const alive = new Set(
    (sent.status?.[list] ?? []).filter(({ state }) => state?.terminated === undefined).map(({ name }) => name),
  )
  return (stored.status?.[list] ?? []).flatMap((before, i) =>
    isFinal(before) && alive.has(before.name)
      ? [forbiddenField(`status.${list}[${i}].state`, 'may not be transitioned to non-terminated state')]
      : [],
  )
}

function validateAddresses({ status }: Pod): FieldError[] {
  const addresses = (status?.podIPs ?? []).map(({ ip = '' }) => ip)
  const errors = addresses.flatMap((ip, i) => isValidIp(ip).map(text => invalidValue(`status.podIPs[${i}]`, ip, text)))
  if (addresses.length < 2) return errors
  const at = 'status.podIPs'
  if (errors.length > 0) errors.push({ type: 'InternalError', field: at, detail: 'failed to check for dual stack' })
  const isV4 = (ip: string) => isValidIpv4(ip).length === 0
  const isDualStack =
    errors.length === 0 && addresses.length === 2 && isV4(addresses[0] ?? '') !== isV4(addresses[1] ?? '')
  if (!isDualStack) errors.push(invalidValue(at, status?.podIPs, 'may specify no more than one IP for each IP family'))
  const seen = new Set<string>()
  for (const [i, ip] of addresses.entries()) {
    if (seen.has(ip)) errors.push(duplicate(`${at}[${i}]`, { ip }))
    seen.add(ip)
  }
  return errors
}
