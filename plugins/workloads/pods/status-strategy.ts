import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  isDns1123Subdomain,
  isQualifiedName,
  isValidIp,
  isValidIpv4,
  strategyForStatus,
} from 'orch/sdk'
import { type ContainerStatus, dropFormerAnnotations, type Pod } from 'orch/sdk/core'
import { validateAnnotationsUpdate } from './update-validation.js'

/** The node agent writes the status; spec and owners stay as they are stored. */
export const statusStrategy = strategyForStatus<Pod>({
  prepareForUpdate(draft, stored, { vendor }) {
    dropFormerAnnotations(draft, vendor)
    draft.metadata = { ...draft.metadata, ownerReferences: stored.metadata?.ownerReferences }
  },
  validateUpdate: (sent, stored, { vendor }) => [
    ...validateAnnotationsUpdate(sent, stored, vendor),
    ...validateConditions(sent),
    ...validateNomination(sent, stored),
    ...validateTransitions(sent, stored, 'containerStatuses', stored.spec.restartPolicy),
    ...validateTransitions(sent, stored, 'initContainerStatuses', stored.spec.restartPolicy),
    // Nobody restarts an ephemeral container.
    ...validateTransitions(sent, stored, 'ephemeralContainerStatuses', 'Never'),
    ...validateAddresses(sent),
  ],
  resetFields: ['metadata.deletionTimestamp', 'metadata.ownerReferences'],
})

function validateNomination(sent: Pod, stored: Pod): FieldError[] {
  const name = sent.status?.nominatedNodeName ?? ''
  if (name === '' || name === stored.status?.nominatedNodeName) return []
  return isDns1123Subdomain(name).map(text => invalidValue('status.nominatedNodeName', name, text))
}

const systemConditions = ['PodScheduled', 'Ready', 'Initialized']
/** Conditions of others have qualified names. Errors stand where clients know them. */
const validateConditions = ({ status }: Pod): FieldError[] =>
  (status?.conditions ?? []).flatMap(({ type }, i) =>
    systemConditions.includes(type)
      ? []
      : isQualifiedName(type).map(text => invalidValue(`metadata.conditions[${i}].Type`, type, text)),
  )

/** A container that ended for good does not come back to life. */
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
