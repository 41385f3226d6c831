import { type FieldError, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { isDns1035Label, isDns1123Subdomain, isPathSegmentName, isValidPortNumber } from 'orch/sdk/validation'
import { type APIService, type APIServiceSpec, apiServiceName } from './schema.js'

const maxGroupPriority = 20_000
const maxVersionPriority = 1000

export function validateApiService({ metadata, spec }: APIService): FieldError[] {
  const { group = '', version = '', groupPriorityMinimum, versionPriority, service } = spec
  const name = apiServiceName(group, version)
  return [
    ...checkName('metadata.generateName', metadata.generateName, name),
    ...checkName('metadata.name', metadata.name, name),
    ...(group === '' && version !== 'v1' ? [requiredValue('spec.group', 'only v1 may have an empty group')] : []),
    ...(group === '' ? [] : isDns1123Subdomain(group).map(text => invalidValue('spec.group', group, text))),
    ...isDns1035Label(version).map(text => invalidValue('spec.version', version, text)),
    ...checkPriority('spec.groupPriorityMinimum', groupPriorityMinimum, maxGroupPriority),
    ...checkPriority('spec.versionPriority', versionPriority, maxVersionPriority),
    ...(service ? validateRemote(spec, service) : validateLocal(spec)),
  ]
}

/** The kernel rejects names that cannot be part of a path. */
const checkName = (field: string, actual: string | undefined, expected: string): FieldError[] =>
  !actual || actual === expected || isPathSegmentName(actual).length > 0
    ? []
    : [invalidValue(field, actual, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`)]

const checkPriority = (field: string, value: number, max: number): FieldError[] =>
  value > 0 && value <= max ? [] : [invalidValue(field, value, `must be positive and at most ${max}`)]

function validateLocal({ caBundle, insecureSkipTLSVerify }: APIServiceSpec): FieldError[] {
  const errors: FieldError[] = []
  if (caBundle) errors.push(invalidValue('spec.caBundle', '…', 'local APIServices may not have a caBundle'))
  if (insecureSkipTLSVerify)
    errors.push(
      invalidValue('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'),
    )
  return errors
}

function validateRemote(
  { caBundle, insecureSkipTLSVerify }: APIServiceSpec,
  { namespace, name, port = 443 }: NonNullable<APIServiceSpec['service']>,
): FieldError[] {
  const contradicts = insecureSkipTLSVerify && caBundle
  return [
    ...(namespace ? [] : [requiredValue('spec.service.namespace')]),
    ...(name ? [] : [requiredValue('spec.service.name')]),
    ...isValidPortNumber(port).map(text => invalidValue('spec.service.port', port, text)),
    ...(contradicts
      ? [invalidValue('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ]
}

const statuses = ['True', 'False', 'Unknown']

export function validateStatus({ status }: APIService): FieldError[] {
  return (status.conditions ?? []).flatMap((condition, index) =>
    statuses.includes(condition.status)
      ? []
      : [notSupported(`status.conditions[${index}].status`, condition.status, statuses)],
  )
}
