import type { Vendor } from '../../plugin/vendor.js'
import {
  addAll,
  type FieldError,
  invalidValue,
  notSupported,
  requiredValue,
  tooLong,
} from '../../resource/field-errors.js'
import type { PodSpec } from '../pod-spec.js'
import type { AppArmorProfile, PodSecurityContext, SeccompProfile, SecurityContext } from '../security-context.js'
import { checkLocalPath } from '../validation/volume-paths.js'
import { checkHostNetworkPorts } from './validate-ports.js'
import { validateSysctls } from './validate-sysctls.js'
import { validateWindowsOptions } from './validate-windows-options.js'

function validateSeccomp(profile: SeccompProfile | undefined, field: string): FieldError[] {
  if (profile === undefined) return []
  const { type, localhostProfile } = profile
  const errors: FieldError[] = []
  const at = `${field}.localhostProfile`
  if (type !== 'Localhost') {
    if (localhostProfile !== undefined)
      errors.push(invalidValue(at, localhostProfile, 'can only be set when seccomp type is Localhost'))
  } else if (localhostProfile === undefined)
    errors.push(requiredValue(at, 'must be set when seccomp type is Localhost'))
  else addAll(errors, checkLocalPath(localhostProfile, at))
  return errors
}

const appArmorTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']
/** A path of the node, without its end mark. */
const maxProfileLength = 4095
/** An AppArmor profile as a field. */
export function validateAppArmor(profile: AppArmorProfile | undefined, field: string): FieldError[] {
  if (profile === undefined) return []
  const { type, localhostProfile: name } = profile
  const at = `${field}.localhostProfile`
  const mustBeSet = () => requiredValue(at, 'must be set when AppArmor type is Localhost')
  if (type === '') return [requiredValue(`${field}.type`, 'type is required when appArmorProfile is set')]
  if (!appArmorTypes.includes(type)) return [notSupported(`${field}.type`, type, appArmorTypes)]
  if (type !== 'Localhost')
    return name === undefined ? [] : [invalidValue(at, name, 'can only be set when AppArmor type is Localhost')]
  if (name === undefined) return [mustBeSet()]
  const errors: FieldError[] = []
  if (name !== name.trim()) errors.push(invalidValue(at, name, 'must not be padded with whitespace'))
  else if (name === '') errors.push(mustBeSet())
  if (Buffer.byteLength(name) > maxProfileLength) errors.push(tooLong(at, maxProfileLength))
  return errors
}

/** Security settings of one container, if it has any. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  field: string,
  { hostUsers = true }: Pick<PodSpec, 'hostUsers'> = {},
): FieldError[] {
  if (context === undefined) return []
  const errors: FieldError[] = []
  if (hostUsers && context.procMount === 'Unmasked')
    errors.push(invalidValue(`${field}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`'))
  addAll(errors, validateSeccomp(context.seccompProfile, `${field}.seccompProfile`))
  if (context.allowPrivilegeEscalation === false) {
    const clash = (what: string) =>
      errors.push(invalidValue(field, context, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`))
    if (context.privileged === true) clash('`privileged` to true')
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) clash('`capabilities.Add` CAP_SYS_ADMIN')
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, `${field}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${field}.appArmorProfile`),
  ]
}

/** Security settings of a whole Pod. `field` is the spec. */
export function validatePodSecurity(
  spec: PodSpec,
  field: string,
  vendor: Vendor,
  stored: PodSpec | undefined,
): FieldError[] {
  const at = `${field}.securityContext`
  const context: PodSecurityContext = spec.securityContext ?? {}
  const errors = [
    ...(spec.hostNetwork ? checkHostNetworkPorts(spec.containers ?? [], `${field}.containers`, vendor.level) : []),
  ]
  if (spec.shareProcessNamespace && spec.hostPID)
    errors.push(
      invalidValue(`${at}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled'),
    )
  addAll(errors, validateSysctls(spec, field, vendor, stored))
  return [
    ...errors,
    ...validateSeccomp(context.seccompProfile, `${at}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${at}.windowsOptions`),
    ...validateAppArmor(context.appArmorProfile, `${at}.appArmorProfile`),
    ...chosen(context.supplementalGroupsPolicy, `${at}.supplementalGroupsPolicy`, groupPolicies),
    ...chosen(
      context.seLinuxChangePolicy,
      `${at}.seLinuxChangePolicy`,
      // MountOption is not served, but what has a policy must stay changeable.
      stored?.securityContext?.seLinuxChangePolicy === undefined ? ['Recursive'] : ['MountOption', 'Recursive'],
    ),
  ]
}

const groupPolicies = ['Merge', 'Strict']
const chosen = (value: string | undefined, field: string, supported: readonly string[]): FieldError[] =>
  value === undefined || supported.includes(value) ? [] : [notSupported(field, value, supported)]
