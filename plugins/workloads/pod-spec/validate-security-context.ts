import {
  checkLocalPath,
  duplicate,
  type FieldError,
  invalidValue,
  isValidGroupId,
  isValidUserId,
  notSupported,
  oneOf,
  type PodSecurityContext,
  type PodSpec,
  required,
  type SeccompProfile,
  type SecurityContext,
  type Sysctl,
} from 'orch/sdk'
import { checkHostNetworkPorts } from './validate-ports.js'
import { validateWindowsOptions } from './validate-windows-options.js'

const checkUser = (id: number | undefined, field: string): FieldError[] =>
  id === undefined ? [] : isValidUserId(id).map(text => invalidValue(field, id, text))
const checkGroup = (id: number | undefined, field: string): FieldError[] =>
  id === undefined ? [] : isValidGroupId(id).map(text => invalidValue(field, id, text))

const seccompTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'] as const
function validateSeccomp(profile: SeccompProfile | undefined, field: string): FieldError[] {
  if (profile === undefined) return []
  const { type, localhostProfile } = profile
  const errors: FieldError[] = []
  if (type === '') errors.push(required(`${field}.type`, 'type is required when seccompProfile is set'))
  else if (!seccompTypes.some(known => known === type)) errors.push(notSupported(`${field}.type`, type, seccompTypes))
  const at = `${field}.localhostProfile`
  if (type !== 'Localhost') {
    if (localhostProfile !== undefined)
      errors.push(invalidValue(at, localhostProfile, 'can only be set when seccomp type is Localhost'))
  } else if (localhostProfile === undefined) errors.push(required(at, 'must be set when seccomp type is Localhost'))
  else errors.push(...checkLocalPath(localhostProfile, at))
  return errors
}

/** Security settings of one container, if it has any. */
export function validateSecurityContext(context: SecurityContext | undefined, field: string): FieldError[] {
  if (context === undefined) return []
  const errors = [
    ...checkUser(context.runAsUser, `${field}.runAsUser`),
    ...checkGroup(context.runAsGroup, `${field}.runAsGroup`),
    ...(context.procMount === undefined ? [] : oneOf(context.procMount, `${field}.procMount`, ['Default', 'Unmasked'])),
    ...validateSeccomp(context.seccompProfile, `${field}.seccompProfile`),
  ]
  if (context.allowPrivilegeEscalation === false) {
    const clash = (what: string) =>
      errors.push(invalidValue(field, context, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`))
    if (context.privileged === true) clash('`privileged` to true')
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) clash('`capabilities.Add` CAP_SYS_ADMIN')
  }
  return [...errors, ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`)]
}

const sysctlForm = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/
const maxSysctlLength = 253
function validateSysctls(sysctls: readonly Sysctl[], field: string): FieldError[] {
  const names = new Set<string>()
  return sysctls.flatMap(({ name }, i) => {
    const at = `${field}[${i}].name`
    if (name === '') return [required(at)]
    if (name.length > maxSysctlLength || !sysctlForm.test(name))
      return [
        invalidValue(at, name, `must have at most ${maxSysctlLength} characters and match regex ${sysctlForm.source}`),
      ]
    if (names.has(name)) return [duplicate(at, name)]
    names.add(name)
    return []
  })
}

/** Security settings of a whole Pod. `field` is the spec. */
export function validatePodSecurity(spec: PodSpec, field: string): FieldError[] {
  const at = `${field}.securityContext`
  const context: PodSecurityContext = spec.securityContext ?? {}
  const errors = [
    ...(spec.hostNetwork ? checkHostNetworkPorts(spec.containers ?? [], `${field}.containers`) : []),
    ...checkGroup(context.fsGroup, `${at}.fsGroup`),
    ...checkUser(context.runAsUser, `${at}.runAsUser`),
    ...checkGroup(context.runAsGroup, `${at}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((id, i) => checkGroup(id, `${at}.supplementalGroups[${i}]`)),
  ]
  if (spec.shareProcessNamespace && spec.hostPID)
    errors.push(
      invalidValue(`${at}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'),
    )
  errors.push(...validateSysctls(context.sysctls ?? [], `${at}.sysctls`))
  if (context.fsGroupChangePolicy !== undefined)
    errors.push(...oneOf(context.fsGroupChangePolicy, `${at}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch']))
  return [
    ...errors,
    ...validateSeccomp(context.seccompProfile, `${at}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${at}.windowsOptions`),
  ]
}
