import { type FieldError, invalidValue } from '../../field-errors.js'
import { isDns1123Label, isDns1123Subdomain, isQualifiedName } from '../../object-names.js'
import { validateLabels } from '../../selectors.js'
import type { Vendor } from '../../vendor.js'
import type { PodSpec } from '../pod-spec.js'
import { validateResourceRequirements } from '../validation/resource-requirements-rules.js'
import { validateTolerations } from '../validation/toleration-rules.js'
import { validateAffinity, validateTopologySpread } from './validate-affinity.js'
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './validate-container.js'
import { validateDnsConfig, validateHostAliases } from './validate-dns.js'
import { validatePodSecurity } from './validate-security-context.js'
import { validateHostProcesses } from './validate-windows-options.js'
import { validateVolumes } from './volumes/validate-volumes.js'

/** Checks a whole Pod spec at `field`. `podName` is empty inside a template. */
export function validatePodSpec(
  spec: PodSpec,
  field: string,
  { podName, vendor }: { podName: string; vendor: Vendor },
): FieldError[] {
  const { domain, groupDomain, acceptsWhatReferenceAccepts } = vendor.profile
  const { errors, known } = validateVolumes(spec.volumes ?? [], `${field}.volumes`, {
    podName,
    reservedDomains: [...new Set([domain, groupDomain])],
    isLenient: acceptsWhatReferenceAccepts,
  })
  const context = { volumes: known, vendor }
  return [
    ...errors,
    ...validateContainers(spec.containers ?? [], `${field}.containers`, context),
    ...validateInitContainers(spec, `${field}.initContainers`, context),
    ...validateEphemeralContainers(spec, `${field}.ephemeralContainers`, context),
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
