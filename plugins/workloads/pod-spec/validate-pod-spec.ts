import {
  type FieldError,
  invalidValue,
  isDns1123Label,
  isDns1123Subdomain,
  isInRange,
  isQualifiedName,
  oneOf,
  type PodSpec,
  required,
  type Vendor,
  validateLabels,
  validateResourceRequirements,
  validateTolerations,
} from 'orch/sdk'
import { validateAffinity, validateTopologySpread } from './validate-affinity.js'
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './validate-container.js'
import { validateDnsConfig, validateDnsPolicy, validateHostAliases } from './validate-dns.js'
import { validatePodSecurity } from './validate-security-context.js'
import { validateHostProcesses } from './validate-windows-options.js'
import { validateVolumes } from './volumes/validate-volumes.js'

const restartPolicies = ['Always', 'Never', 'OnFailure'] as const
const preemptionPolicies = ['Never', 'PreemptLowerPriority'] as const
/** Deadlines are 32-bit numbers of seconds. */
export const maxDeadlineSeconds = 0x7fffffff

/** Checks a whole Pod spec at `field`. `podName` is empty inside a template. */
export function validatePodSpec(
  spec: PodSpec,
  field: string,
  { podName, vendor }: { podName: string; vendor: Vendor },
): FieldError[] {
  const { domain, groupDomain } = vendor.profile
  const { errors, known } = validateVolumes(spec.volumes ?? [], `${field}.volumes`, {
    podName,
    reservedDomains: [...new Set([domain, groupDomain])],
  })
  const context = { volumes: known, vendor }
  return [
    ...errors,
    ...validateContainers(spec.containers ?? [], `${field}.containers`, context),
    ...validateInitContainers(spec, `${field}.initContainers`, context),
    ...validateEphemeralContainers(spec, `${field}.ephemeralContainers`, context),
    ...needed(spec.restartPolicy, `${field}.restartPolicy`, restartPolicies),
    ...validateDnsPolicy(spec, field),
    ...validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    ...validatePodSecurity(spec, field),
    ...validateAffinity(spec.affinity, `${field}.affinity`),
    ...validateDnsConfig(spec, field),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType }, i) =>
      isQualifiedName(conditionType).map(text =>
        invalidValue(`${field}.readinessGates[${i}].conditionType`, conditionType, text),
      ),
    ),
    ...validateTopologySpread(spec.topologySpreadConstraints, `${field}.topologySpreadConstraints`),
    ...validateHostProcesses(spec, field),
    ...validateNames(spec, field),
    ...validateTolerations(spec.tolerations ?? [], `${field}.tolerations`),
    ...validateHostAliases(spec.hostAliases, `${field}.hostAliases`),
    ...validateClasses(spec, field),
    ...(spec.overhead ? validateResourceRequirements({ limits: spec.overhead }, `${field}.overhead`, vendor) : []),
  ]
}

const needed = (value: string | undefined, field: string, supported: readonly string[]): FieldError[] =>
  value === undefined || value === '' ? [required(field)] : oneOf(value, field, supported)

const named = (value: string | undefined, field: string, rule: (value: string) => string[]): FieldError[] =>
  value === undefined || value === '' ? [] : rule(value).map(text => invalidValue(field, value, text))

const validateNames = (spec: PodSpec, field: string): FieldError[] => [
  ...named(spec.serviceAccountName, `${field}.serviceAccountName`, isDns1123Subdomain),
  ...named(spec.nodeName, `${field}.nodeName`, isDns1123Subdomain),
  ...(spec.activeDeadlineSeconds === undefined ? [] : isInRange(spec.activeDeadlineSeconds, 1, maxDeadlineSeconds)).map(
    text => invalidValue(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, text),
  ),
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
  ...(spec.preemptionPolicy === undefined
    ? []
    : needed(spec.preemptionPolicy, `${field}.preemptionPolicy`, preemptionPolicies)),
]
