import {
  addAll,
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
  requiredValue,
  type StrategyContext,
  type Vendor,
} from 'orch/sdk'
import {
  checkNoBacksteps,
  oneOf,
  requireFields,
  validateAppArmorProfile,
  validateCsiDriverName,
  validateSeccompProfile,
} from 'orch/sdk/core'
import { isDns1123Subdomain } from 'orch/sdk/validation'
import { groupRules, type IDRange, type PodSecurityPolicy, type PodSecurityPolicySpec } from './schema.js'
import { validateSysctls } from './sysctl-validation.js'

/** The names by which a policy allows volume sources. */
const volumeKinds = [
  'azureDisk',
  'azureFile',
  'awsElasticBlockStore',
  'cephFS',
  'cinder',
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'glusterfs',
  'hostPath',
  'iscsi',
  'nfs',
  'persistentVolumeClaim',
  'photonPersistentDisk',
  'portworxVolume',
  'projected',
  'quobyte',
  'rbd',
  'scaleIO',
  'secret',
  'storageOS',
  'vsphereVolume',
  'none',
] as const

const everything = '*'

/** Field paths are those of Kubernetes, also where it omits or repeats a part of the path. */
export function validatePodSecurityPolicy(
  { metadata, spec }: PodSecurityPolicy,
  { vendor }: Pick<StrategyContext, 'vendor'>,
): FieldError[] {
  const rules = spec ?? ({} as PodSecurityPolicySpec)
  return [
    ...validateProfiles(metadata?.annotations ?? {}, vendor),
    ...validateIdentities(rules),
    ...(rules.volumes ?? [])
      .filter(kind => kind !== everything && !volumeKinds.some(known => known === kind))
      .map(kind => notSupported('spec.volumes', kind, [everything, ...volumeKinds])),
    ...validateCapabilities(rules),
    ...validateEscalation(rules),
    ...validateHostPaths(rules),
    ...(rules.allowedFlexVolumes ?? []).flatMap((volume, i) =>
      requireFields(volume, `spec.allowedFlexVolumes.allowedFlexVolumes[${i}]`, 'driver'),
    ),
    ...(rules.allowedCSIDrivers ?? []).flatMap(({ name }, i) =>
      validateCsiDriverName(name, `spec.allowedCSIDrivers.allowedCSIDriver[${i}].name`),
    ),
    ...validateSysctls(rules),
    ...validateRuntimeClasses(rules),
  ]
}

/** Kubernetes stops at the first missing prefix. */
function validateHostPaths({ allowedHostPaths = [] }: PodSecurityPolicySpec): FieldError[] {
  const errors: FieldError[] = []
  for (const [i, { pathPrefix = '' }] of allowedHostPaths.entries()) {
    const field = `spec.allowedHostPaths[${i}]`
    if (pathPrefix === '') return [...errors, requiredValue(field, 'is required')]
    addAll(errors, checkNoBacksteps(pathPrefix, field))
  }
  return errors
}

function validateIdentities(rules: PodSecurityPolicySpec): FieldError[] {
  const ranges = (name: 'runAsUser' | 'supplementalGroups' | 'fsGroup') =>
    (rules[name]?.ranges ?? []).flatMap((range, i) => validateRange(range, `spec.${name}.ranges[${i}]`))
  // An omitted rule is rejected like an unknown one.
  const groups = (['supplementalGroups', 'fsGroup'] as const).flatMap(name => [
    ...oneOf(rules[name]?.rule ?? '', `spec.${name}.rule`, groupRules),
    ...ranges(name),
  ])
  return [...ranges('runAsUser'), ...validateRunAsGroup(rules), ...groups]
}

/** Ranges are required for all rules but RunAsAny, for which they must be empty. */
function validateRunAsGroup({ runAsGroup }: PodSecurityPolicySpec): FieldError[] {
  if (!runAsGroup || !groupRules.includes(runAsGroup.rule)) return []
  const { rule, ranges = [] } = runAsGroup
  const at = 'spec.runAsGroup'
  if (rule === 'RunAsAny')
    return ranges.length === 0 ? [] : [invalidValue(`${at}.ranges`, ranges, 'Ranges must be empty')]
  if (ranges.length === 0) return [invalidValue(`${at}.ranges`, ranges, 'must provide at least one range')]
  return ranges.flatMap((range, i) => validateRange(range, `${at}.ranges[${i}]`))
}

function validateRange({ min, max }: IDRange, field: string): FieldError[] {
  return [
    ...(min < 0 ? [invalidValue(`${field}.min`, min, 'min cannot be negative')] : []),
    ...(max < 0 ? [invalidValue(`${field}.max`, max, 'max cannot be negative')] : []),
    ...(min > max ? [invalidValue(`${field}.min`, min, 'min cannot be greater than max')] : []),
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
        'requiredDropCapabilities',
        dropped,
        'must be empty when all capabilities are allowed by a wildcard',
      ),
    )
  const isDropped = new Set(dropped)
  const clash = (list: readonly string[], name: string) =>
    list
      .filter(capability => isDropped.has(capability))
      .map(capability => invalidValue(name, capability, `capability is listed in ${name} and requiredDropCapabilities`))
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

function validateRuntimeClasses({ runtimeClass }: PodSecurityPolicySpec): FieldError[] {
  if (runtimeClass === undefined) return []
  const { allowedRuntimeClassNames, defaultRuntimeClassName } = runtimeClass
  const allowed = new Set<string>()
  const at = 'spec.runtimeClass'
  const errors: FieldError[] = []
  for (const [i, name] of (allowedRuntimeClassNames ?? []).entries()) {
    const field = `${at}.allowedRuntimeClassNames[${i}]`
    if (name !== everything)
      addAll(
        errors,
        isDns1123Subdomain(name).map(text => invalidValue(field, name, text)),
      )
    if (allowed.has(name)) errors.push(duplicate(field, name))
    allowed.add(name)
  }
  if (defaultRuntimeClassName !== undefined) {
    const field = `${at}.defaultRuntimeClassName`
    addAll(
      errors,
      isDns1123Subdomain(defaultRuntimeClassName).map(text => invalidValue(field, defaultRuntimeClassName, text)),
    )
    if (!allowed.has(everything) && !allowed.has(defaultRuntimeClassName))
      errors.push(requiredValue(`${at}.allowedRuntimeClassNames`, `default runtimeClassName must be allowed`))
  }
  if (allowed.has(everything) && (allowedRuntimeClassNames ?? []).length > 1)
    errors.push(
      invalidValue(
        `${at}.allowedRuntimeClassNames`,
        allowedRuntimeClassNames,
        `if '${everything}' is present, must not specify other RuntimeClass names`,
      ),
    )
  return errors
}

/** Validates the profiles in the annotations of a policy: the default one, and the allowed ones. */
function validateProfiles(annotations: Readonly<Record<string, string>>, vendor: Vendor): FieldError[] {
  const appArmor = (name: string) => vendor.qualify(name, 'apparmor.security.beta')
  const seccomp = (name: string) => vendor.qualify(name, 'seccomp.security.alpha')
  const listed = (key: string) => (annotations[key] ? annotations[key].split(',') : [])
  const at = (key: string) => `metadata.annotations[${key}]`
  const [usual, allowed] = ['defaultProfileName', 'allowedProfileNames'] as const
  const usualSeccomp = annotations[seccomp(usual)]
  return [
    ...validateAppArmorProfile(annotations[appArmor(usual)] ?? '', at(appArmor(usual))),
    ...listed(appArmor(allowed)).flatMap(profile => validateAppArmorProfile(profile, at(appArmor(allowed)))),
    ...(usualSeccomp ? validateSeccompProfile(usualSeccomp, at(seccomp(usual))) : []),
    ...listed(seccomp(allowed))
      .filter(profile => profile !== everything)
      .flatMap(profile => validateSeccompProfile(profile, at(seccomp(allowed)))),
  ]
}
