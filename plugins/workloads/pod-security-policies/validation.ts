import {
  checkNoBacksteps,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  isDns1123Subdomain,
  isValidGroupId,
  notSupported,
  oneOf,
  required,
  requireFields,
  validateCsiDriverName,
} from 'orch/sdk'
import type { IDRange, PodSecurityPolicy, PodSecurityPolicySpec } from './schema.js'
import { volumeKinds } from './volume-kinds.js'

const everything = '*'

export function validatePodSecurityPolicy({ spec }: PodSecurityPolicy): FieldError[] {
  const rules = spec ?? ({} as PodSecurityPolicySpec)
  return [
    ...validateIdentities(rules),
    ...(rules.volumes ?? [])
      .map((kind, i) => [kind, i] as const)
      .filter(([kind]) => kind !== everything && !volumeKinds.some(known => known === kind))
      .map(([kind, i]) => notSupported(`spec.volumes[${i}]`, kind, volumeKinds)),
    ...validateCapabilities(rules),
    ...validateEscalation(rules),
    ...(rules.allowedProcMountTypes ?? []).flatMap((type, i) =>
      oneOf(type, `spec.allowedProcMountTypes[${i}]`, ['Default', 'Unmasked']),
    ),
    ...(rules.allowedHostPaths ?? []).flatMap((path, i) => {
      const at = `spec.allowedHostPaths[${i}]`
      return [...requireFields(path, at, 'pathPrefix'), ...checkNoBacksteps(path.pathPrefix ?? '', `${at}.pathPrefix`)]
    }),
    ...(rules.allowedFlexVolumes ?? []).flatMap((volume, i) =>
      requireFields(volume, `spec.allowedFlexVolumes[${i}]`, 'driver'),
    ),
    ...validateSysctls(rules),
    ...validateRuntimeClasses(rules),
    ...(rules.allowedCSIDrivers ?? []).flatMap(({ name }, i) =>
      validateCsiDriverName(name, `spec.allowedCSIDrivers[${i}].name`),
    ),
  ]
}

function validateIdentities(rules: PodSecurityPolicySpec): FieldError[] {
  const group = ['MayRunAs', 'MustRunAs', 'RunAsAny']
  const strategy = (name: 'runAsUser' | 'runAsGroup' | 'supplementalGroups' | 'fsGroup', known: readonly string[]) => {
    const { rule = '', ranges = [] } = rules[name] ?? {}
    const at = `spec.${name}`
    return [
      ...oneOf(rule, `${at}.rule`, known),
      ...ranges.flatMap((range, i) => validateRange(range, `${at}.ranges[${i}]`)),
    ]
  }
  return [
    ...strategy('runAsUser', ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny']),
    ...(rules.runAsGroup ? strategy('runAsGroup', group) : []),
    ...oneOf(rules.seLinux?.rule, 'spec.seLinux.rule', ['MustRunAs', 'RunAsAny']),
    ...strategy('supplementalGroups', group),
    ...strategy('fsGroup', group),
  ]
}

function validateRange({ min, max }: IDRange, field: string): FieldError[] {
  return [
    ...isValidGroupId(min).map(text => invalidValue(`${field}.min`, min, text)),
    ...isValidGroupId(max).map(text => invalidValue(`${field}.max`, max, text)),
    ...(min > max ? [invalidValue(`${field}.min`, min, 'min must be less than or equal to max')] : []),
  ]
}

function validateCapabilities(rules: PodSecurityPolicySpec): FieldError[] {
  const {
    requiredDropCapabilities: dropped = [],
    allowedCapabilities: allowed = [],
    defaultAddCapabilities: added = [],
  } = rules
  const errors: FieldError[] = []
  if (dropped.length > 0 && allowed.includes(everything))
    errors.push(
      invalidValue(
        'spec.requiredDropCapabilities',
        dropped,
        'must be empty when all capabilities are allowed by a wildcard',
      ),
    )
  const clash = (list: readonly string[], name: string) =>
    list
      .filter(capability => dropped.includes(capability))
      .map(capability =>
        invalidValue(`spec.${name}`, capability, `capability is listed in ${name} and requiredDropCapabilities`),
      )
  return [...errors, ...clash(added, 'defaultAddCapabilities'), ...clash(allowed, 'allowedCapabilities')]
}

const validateEscalation = (rules: PodSecurityPolicySpec): FieldError[] =>
  rules.defaultAllowPrivilegeEscalation === true && rules.allowPrivilegeEscalation === false
    ? [
        invalidValue(
          'spec.defaultAllowPrivilegeEscalation',
          true,
          'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true',
        ),
      ]
    : []

const sysctlPattern = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]$/
function validateSysctls({ allowedUnsafeSysctls = [], forbiddenSysctls = [] }: PodSecurityPolicySpec): FieldError[] {
  const check = (list: readonly string[], field: string) =>
    list.flatMap((pattern, i) => {
      if (pattern === '') return [invalidValue(`${field}[${i}]`, pattern, 'empty sysctl not allowed')]
      return pattern === everything || sysctlPattern.test(pattern)
        ? []
        : [
            invalidValue(
              `${field}[${i}]`,
              pattern,
              `must have at most 253 characters and match regex ${sysctlPattern.source}`,
            ),
          ]
    })
  const overlap = allowedUnsafeSysctls
    .filter(pattern => forbiddenSysctls.includes(pattern))
    .map(pattern => forbiddenField('spec.allowedUnsafeSysctls', `sysctl overlaps with ${pattern}`))
  return [
    ...check(allowedUnsafeSysctls, 'spec.allowedUnsafeSysctls'),
    ...check(forbiddenSysctls, 'spec.forbiddenSysctls'),
    ...overlap,
  ]
}

function validateRuntimeClasses({ runtimeClass }: PodSecurityPolicySpec): FieldError[] {
  if (runtimeClass === undefined) return []
  const { allowedRuntimeClassNames, defaultRuntimeClassName } = runtimeClass
  const allowed = allowedRuntimeClassNames ?? []
  const at = 'spec.runtimeClass'
  const errors: FieldError[] = []
  for (const [i, name] of allowed.entries()) {
    const field = `${at}.allowedRuntimeClassNames[${i}]`
    if (name !== everything) errors.push(...isDns1123Subdomain(name).map(text => invalidValue(field, name, text)))
    if (allowed.indexOf(name) < i) errors.push(duplicate(field, name))
  }
  if (defaultRuntimeClassName === undefined) return errors
  const field = `${at}.defaultRuntimeClassName`
  if (defaultRuntimeClassName === '') return [...errors, required(field)]
  errors.push(
    ...isDns1123Subdomain(defaultRuntimeClassName).map(text => invalidValue(field, defaultRuntimeClassName, text)),
  )
  if (!allowed.includes(everything) && !allowed.includes(defaultRuntimeClassName))
    errors.push(required(`${at}.allowedRuntimeClassNames`, `default runtimeClassName must be allowed`))
  return errors
}
