import type { ServedLevel } from '../../plugin/level.js'
import type { Vendor } from '../../plugin/vendor.js'
import {
  duplicate,
  type FieldError,
  fieldNotFound,
  forbiddenField,
  invalidValue,
  tooLong,
} from '../../resource/field-errors.js'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName } from '../../validation/object-names.js'
import { validateLabels } from '../../validation/selectors.js'
import type { PodSpec } from '../pod-spec.js'
import type { ClaimRules } from '../validation/persistent-volume-claim-spec-rules.js'
import { validateResourceRequirements } from '../validation/resource-requirements-rules.js'
import { validateTolerations } from '../validation/toleration-rules.js'
import { checkedDataSourceGroups, checksSelectorValues } from './differences.js'
import { type PodRules, podRules } from './pod-rules.js'
import { validateAffinity, validateTopologySpread } from './validate-affinity.js'
import { validatePodClaims } from './validate-claims.js'
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './validate-container.js'
import { validateDnsConfig, validateHostAliases } from './validate-dns.js'
import { validatePodResources } from './validate-pod-resources.js'
import { validatePodSecurity } from './validate-security-context.js'
import { containersWithPlaces, validateSystem } from './validate-system.js'
import { validateHostProcesses } from './validate-windows-options.js'
import { attributesClassesAreChecked, volumesForSinglePods } from './volume-differences.js'
import { validateVolumes } from './volumes/validate-volumes.js'

/** Claims of ephemeral volumes are checked as new ones, whatever is stored. */
const ephemeralClaimRules = (level: ServedLevel): ClaimRules => ({
  singlePod: level.has(volumesForSinglePods),
  checkedGroups: level.has(checkedDataSourceGroups),
  checksValues: checksSelectorValues(level),
  takesAnyAttributesClass: !level.has(attributesClassesAreChecked),
})

interface Surroundings {
  /** Empty inside a template. */
  readonly podName: string
  readonly isTemplate?: boolean
  readonly vendor: Vendor
  readonly stored?: PodSpec | undefined
}

/** Checks a whole Pod spec at `field`. Some of what is `stored` already may stay. */
export function validatePodSpec(
  spec: PodSpec,
  field: string,
  { podName, isTemplate = false, vendor, stored }: Surroundings,
): FieldError[] {
  const { domain, groupDomain, acceptsWhatReferenceAccepts } = vendor.profile
  const rules = podRules(vendor, stored)
  const { errors, known } = validateVolumes(spec.volumes ?? [], `${field}.volumes`, {
    podName,
    isTemplate,
    reservedDomains: [...new Set([domain, groupDomain])],
    claimRules: ephemeralClaimRules(vendor.level),
    isLenient: acceptsWhatReferenceAccepts,
    ownDomain: domain,
    level: vendor.level,
    ...rules,
  })
  const context = { volumes: known, vendor, spec, rules }
  return [
    ...errors,
    ...validatePodClaims(spec.resourceClaims, `${field}.resourceClaims`),
    ...validateContainers(spec.containers ?? [], `${field}.containers`, context),
    ...validateInitContainers(spec, `${field}.initContainers`, context),
    ...validateEphemeralContainers(spec, `${field}.ephemeralContainers`, context),
    ...validatePodResources(spec, field, vendor),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...validatePodSecurity(spec, field, vendor, stored),
    ...validateAffinity(spec.affinity, `${field}.affinity`, vendor, stored?.affinity),
    ...validateDnsConfig(spec, field, vendor.level, rules),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType }, i) =>
      isQualifiedName(conditionType).map(text =>
        invalidValue(`${field}.readinessGates[${i}].conditionType`, conditionType, text),
      ),
    ),
    ...validateSchedulingGates(spec, `${field}.schedulingGates`),
    ...validateTopologySpread(spec, `${field}.topologySpreadConstraints`, vendor, stored),
    ...validateHostProcesses(spec, field),
    ...validateOwnUsers(spec, field, rules),
    ...validateHostnameOverride(spec, `${field}.hostnameOverride`),
    ...validateNames(spec, field),
    ...validateTolerations(spec.tolerations ?? [], `${field}.tolerations`),
    ...validateHostAliases(spec.hostAliases, `${field}.hostAliases`, vendor.level),
    ...validateClasses(spec, field),
    ...(spec.overhead ? validateResourceRequirements({ limits: spec.overhead }, `${field}.overhead`, vendor) : []),
    ...validateSystem(spec, field),
    ...checkFileVolumes(spec, field),
  ]
}

function validateSchedulingGates({ schedulingGates = [] }: PodSpec, field: string): FieldError[] {
  const names = new Set<string>()
  return schedulingGates.flatMap(({ name }, i) => {
    const at = `${field}[${i}]`
    const errors = isQualifiedName(name).map(text => invalidValue(at, name, text))
    if (names.has(name)) errors.push(duplicate(at, name))
    names.add(name)
    return errors
  })
}

/** A Pod with its own user namespace must not share other namespaces with the host. */
function validateOwnUsers(spec: PodSpec, field: string, { takesDevicesOfOwnUsers }: PodRules): FieldError[] {
  if (spec.hostUsers !== false) return []
  const shared = [
    ...(spec.hostNetwork ? ['hostNetwork'] : []),
    ...(spec.hostPID ? ['HostPID'] : []),
    ...(spec.hostIPC ? ['HostIPC'] : []),
  ].map(name => `${field}.${name}`)
  const devices = containersWithPlaces(spec, field)
    .filter(([{ volumeDevices = [] }]) => volumeDevices.length > 0 && !takesDevicesOfOwnUsers)
    .map(([, at]) => `${at}.volumeDevices`)
  return [...shared, ...devices].map(at => forbiddenField(at, 'when `hostUsers` is false'))
}

/** What the Linux kernel accepts as a host name. */
const maxHostnameLength = 64
function validateHostnameOverride(spec: PodSpec, field: string): FieldError[] {
  const { hostnameOverride: name } = spec
  if (name === undefined) return []
  return [
    ...(spec.setHostnameAsFQDN ? [forbiddenField(field, 'may not be specified when setHostnameAsFQDN is true')] : []),
    ...(spec.hostNetwork ? [forbiddenField(field, 'may not be specified when hostNetwork is true')] : []),
    ...(name.length > maxHostnameLength ? [tooLong(field, maxHostnameLength)] : []),
    ...isDns1123Subdomain(name).map(text => invalidValue(field, name, text)),
  ]
}

/** Variables come from files in volumes of the Pod itself. */
function checkFileVolumes(spec: PodSpec, field: string): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map(volume => [volume.name, volume]))
  return containersWithPlaces(spec, field).flatMap(([{ env = [] }, at]) =>
    env.flatMap(({ valueFrom }, i) => {
      const name = valueFrom?.fileKeyRef?.volumeName
      if (name === undefined) return []
      const place = `${at}.env[${i}].valueFrom.fileKeyRef.volumeName`
      const volume = volumes.get(name)
      if (!volume) return [fieldNotFound(place, name)]
      return volume.emptyDir ? [] : [invalidValue(place, name, 'referenced volume must be of type emptyDir')]
    }),
  )
}

const named = (value: string | undefined, field: string, rule: (value: string) => string[]): FieldError[] =>
  value === undefined || value === '' ? [] : rule(value).map(text => invalidValue(field, value, text))

const validateNames = (spec: PodSpec, field: string): FieldError[] => [
  ...named(spec.serviceAccountName, `${field}.serviceAccountName`, isDns1123Subdomain),
  ...named(spec.nodeName, `${field}.nodeName`, isDns1123Subdomain),
  ...named(spec.hostname, `${field}.hostname`, isDns1123Label),
  ...named(spec.subdomain, `${field}.subdomain`, isDns1123Label),
]

const validateClasses = (spec: PodSpec, field: string): FieldError[] => [
  ...named(spec.priorityClassName, `${field}.priorityClassName`, isDns1123Subdomain),
  ...(spec.runtimeClassName === undefined
    ? []
    : isDns1123Subdomain(spec.runtimeClassName).map(text =>
        invalidValue(`${field}.runtimeClassName`, spec.runtimeClassName, text),
      )),
]
