import {
  type ContainerStatus,
  type FieldError,
  forbiddenField,
  invalidValue,
  isDns1123Subdomain,
  isValidIp,
  isValidIpv4,
  type Pod,
  type Strategy,
} from 'orch/sdk'
import { validateAnnotationsUpdate } from './update-validation.js'

/** The node agent writes the status; spec and owners stay as they are stored. */
export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
    draft.metadata = { ...draft.metadata, ownerReferences: stored.metadata?.ownerReferences }
  },
  validateUpdate: (sent, stored, { vendor }) => [
    ...validateAnnotationsUpdate(sent, stored, vendor),
    ...validateNomination(sent, stored),
    ...validateTransitions(sent, stored, 'containerStatuses'),
    ...validateTransitions(sent, stored, 'initContainerStatuses'),
    ...validateAddresses(sent),
  ],
  resetFields: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
} satisfies Strategy<Pod>

function validateNomination(sent: Pod, stored: Pod): FieldError[] {
  const name = sent.status?.nominatedNodeName ?? ''
  if (name === '' || name === stored.status?.nominatedNodeName) return []
  return isDns1123Subdomain(name).map(text => invalidValue('status.nominatedNodeName', name, text))
}

/** A container that ended for good does not come back to life. */
function validateTransitions(
  sent: Pod,
  stored: Pod,
  list: 'containerStatuses' | 'initContainerStatuses',
): FieldError[] {
  const { restartPolicy } = sent.spec
  if (restartPolicy === 'Always') return []
  const before = new Map((stored.status?.[list] ?? []).map(status => [status.name, status]))
  const isFinal = (status: ContainerStatus | undefined) =>
    status?.state?.terminated !== undefined && (restartPolicy === 'Never' || status.state.terminated.exitCode === 0)
  return (sent.status?.[list] ?? []).flatMap((status, i) =>
    isFinal(before.get(status.name)) && status.state?.terminated === undefined
      ? [forbiddenField(`status.${list}[${i}].state`, 'may not be transitioned to non-terminated state')]
      : [],
  )
}

function validateAddresses({ status }: Pod): FieldError[] {
  const addresses = (status?.podIPs ?? []).map(({ ip = '' }) => ip)
  const errors = addresses.flatMap((ip, i) => isValidIp(ip).map(text => invalidValue(`status.podIPs[${i}]`, ip, text)))
  if (addresses.length < 2 || errors.length > 0) return errors
  const isV4 = (ip: string) => isValidIpv4(ip).length === 0
  const isDualStack = addresses.length === 2 && isV4(addresses[0] ?? '') !== isV4(addresses[1] ?? '')
  return isDualStack
    ? []
    : [invalidValue('status.podIPs', status?.podIPs, 'may specify no more than one IP for each IP family')]
}
