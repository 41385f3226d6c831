import type { Vendor } from '../../plugin/vendor.js'
import {
  duplicate,
  type FieldError,
  fieldNotFound,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../../resource/field-errors.js'
import { isDns1123Label } from '../../validation/object-names.js'
import type { Container, EphemeralContainer } from '../container.js'
import type { PodSpec } from '../pod-spec.js'
import { requireFields } from '../validation/field-rules.js'
import { validateResourceRequirements } from '../validation/resource-requirements-rules.js'
import { containersByRole } from './differences.js'
import { isSidecar, type PodRules } from './pod-rules.js'
import { validateClaimNames } from './validate-claims.js'
import { validateEnvironment, validateEnvironmentSources } from './validate-environment.js'
import { validateVolumeDevices, validateVolumeMounts } from './validate-mounts.js'
import { checkHostPorts, validateContainerPorts } from './validate-ports.js'
import { checkNoGracePeriod, checkSingleSuccess, validateLifecycle, validateProbe } from './validate-probe.js'
import {
  checkInitResize,
  validateInitRestartPolicy,
  validateResizePolicy,
  validateRestartPolicy,
} from './validate-restarts.js'
import { validateSecurityContext } from './validate-security-context.js'
import type { KnownVolumes } from './volumes/validate-volumes.js'

const messagePolicies = ['FallbackToLogsOnError', 'File'] as const

interface ContainerContext {
  readonly volumes: KnownVolumes
  readonly vendor: Vendor
  /** The Pod that the containers are of. */
  readonly spec: PodSpec
  readonly rules: PodRules
}

/** The containers of a Pod, which run side by side. There is at least one. */
export function validateContainers(
  containers: readonly Container[],
  field: string,
  context: ContainerContext,
): FieldError[] {
  if (containers.length === 0) return [requiredValue(field)]
  const { vendor, rules } = context
  return [
    ...validateEach(containers, field, context, (container, at) => [
      ...(vendor.level.has(containersByRole) ? validateProbes(container, at, context) : []),
      ...validateRestartPolicy(container, at, rules),
    ]),
    ...checkHostPorts(containers, field),
  ]
}

/** Init containers run one after the other, before the others; they share names but not ports with them. */
export function validateInitContainers(
  { initContainers = [], containers }: PodSpec,
  field: string,
  context: ContainerContext,
) {
  const { vendor, rules } = context
  const byRole = vendor.level.has(containersByRole)
  const errors = [
    ...validateEach(
      initContainers,
      field,
      context,
      (container, at) => [
        ...validateInitRestartPolicy(container, at, rules),
        ...(byRole && isSidecar(container) ? validateProbes(container, at, context) : []),
        ...(isSidecar(container) || rules.takesResizesOfInitContainers ? [] : checkInitResize(container, at)),
      ],
      // Otherwise repeated names are reported here and below.
      !byRole,
    ),
    ...initContainers.flatMap(container => checkHostPorts([container], field)),
  ]
  const taken = new Set((containers ?? []).map(container => container.name))
  for (const [i, container] of initContainers.entries()) {
    const at = `${field}[${i}]`
    if (taken.has(container.name)) errors.push(duplicate(`${at}.name`, container.name))
    if (container.name !== '') taken.add(container.name)
    if (isSidecar(container)) continue
    for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
      if (container[name] !== undefined)
        errors.push(
          byRole
            ? forbiddenField(`${at}.${name}`, 'may not be set for init containers without restartPolicy=Always')
            : invalidValue(`${at}.${name}`, container[name], 'must not be set for init containers'),
        )
  }
  return errors
}

function validateEach(
  containers: readonly Container[],
  field: string,
  context: ContainerContext,
  byRole: (container: Container, field: string) => FieldError[],
  /** Are names compared with each other here? */
  isSingle = true,
): FieldError[] {
  const names = new Set<string>()
  return containers.flatMap((container, i) => {
    const at = `${field}[${i}]`
    const wrong = validateName(container.name, `${at}.name`)
    const repeated = names.has(container.name) ? [duplicate(`${at}.name`, container.name)] : []
    if (isSingle) names.add(container.name)
    return [...wrong, ...repeated, ...validateContainer(container, at, context), ...byRole(container, at)]
  })
}

const validateName = (name: string, field: string): FieldError[] =>
  name === '' ? [requiredValue(field)] : isDns1123Label(name).map(text => invalidValue(field, name, text))

/** Probes and lifecycle, in the order in which they are reported since they are validated by role. */
function validateProbes(container: Container, field: string, { spec, rules }: ContainerContext): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container
  return [
    ...(lifecycle ? validateLifecycle(lifecycle, `${field}.lifecycle`, spec, rules) : []),
    ...validateProbe(livenessProbe, `${field}.livenessProbe`),
    ...checkSingleSuccess(livenessProbe, `${field}.livenessProbe`),
    ...validateProbe(readinessProbe, `${field}.readinessProbe`),
    ...checkNoGracePeriod(readinessProbe, `${field}.readinessProbe`),
    ...validateProbe(startupProbe, `${field}.startupProbe`),
    ...checkSingleSuccess(startupProbe, `${field}.startupProbe`),
  ]
}

function validateContainer(container: Container, field: string, context: ContainerContext): FieldError[] {
  const { volumes, vendor, spec, rules } = context
  const { livenessProbe, readinessProbe, startupProbe, terminationMessagePolicy = '' } = container
  const byRole = vendor.level.has(containersByRole)
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name))
  const rest = [
    ...validateContainerPorts(container.ports, `${field}.ports`),
    ...validateEnvironment(container.env, `${field}.env`, rules),
    ...validateEnvironmentSources(container.envFrom, `${field}.envFrom`, rules),
    ...validateVolumeMounts(container, volumes, `${field}.volumeMounts`),
    ...validateVolumeDevices(container, volumes, `${field}.volumeDevices`),
    ...(container.imagePullPolicy ? [] : [requiredValue(`${field}.imagePullPolicy`)]),
    ...validateResourceRequirements(container.resources ?? {}, `${field}.resources`, vendor),
    ...validateClaimNames(container.resources?.claims, known, `${field}.resources.claims`),
    ...validateResizePolicy(container.resizePolicy, `${field}.resizePolicy`, spec.restartPolicy),
    ...validateSecurityContext(container.securityContext, `${field}.securityContext`, spec),
  ]
  const messages = checkMessagePolicy(terminationMessagePolicy, `${field}.terminationMessagePolicy`, byRole)
  if (byRole) return [...requireFields(container, field, 'image'), ...messages, ...rest]
  return [
    ...requireFields(container, field, 'image'),
    ...(container.lifecycle ? validateLifecycle(container.lifecycle, `${field}.lifecycle`, spec, rules) : []),
    ...validateProbe(livenessProbe, `${field}.livenessProbe`),
    ...checkNoGracePeriod(readinessProbe, `${field}.readinessProbe`),
    // Twice, as in Kubernetes.
    ...validateProbe(startupProbe, `${field}.startupProbe`),
    ...checkSingleSuccess(livenessProbe, `${field}.livenessProbe`),
    ...validateProbe(startupProbe, `${field}.startupProbe`),
    ...checkSingleSuccess(startupProbe, `${field}.startupProbe`),
    ...messages,
    ...validateProbe(readinessProbe, `${field}.readinessProbe`),
    ...rest,
  ]
}

function checkMessagePolicy(policy: string, field: string, byRole: boolean): FieldError[] {
  if (policy === '') return [requiredValue(field, "must be 'File' or 'FallbackToLogsOnError'")]
  if (messagePolicies.some(known => known === policy)) return []
  return byRole
    ? [notSupported(field, policy, messagePolicies)]
    : [invalidValue(field, policy, "must be 'File' or 'FallbackToLogsOnError'")]
}

/** What an ephemeral container cannot have, not even empty: it comes late, gets no resources and is not restarted. */
const forbiddenInEphemeral = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'] as const

/** Containers added to a running Pod. */
export function validateEphemeralContainers(spec: PodSpec, field: string, context: ContainerContext): FieldError[] {
  const { ephemeralContainers = [], initContainers = [] } = spec
  const lasting = new Set([...(spec.containers ?? []), ...initContainers].map(container => container.name))
  const taken = new Set(lasting)
  const byRole = context.vendor.level.has(containersByRole)
  return ephemeralContainers.flatMap((container, i) => {
    const at = `${field}[${i}]`
    const { name, targetContainerName = '' } = container
    const targets = byRole ? lasting : taken
    const target =
      targetContainerName === '' || targets.has(targetContainerName)
        ? []
        : [fieldNotFound(`${at}.targetContainerName`, targetContainerName)]
    if (name === '' && !byRole) return [...target, requiredValue(at, 'ephemeralContainer requires a name')]
    const repeated = taken.has(name) ? [duplicate(`${at}.name`, name)] : []
    taken.add(name)
    return [
      ...(byRole ? [] : target),
      ...validateName(name, `${at}.name`),
      ...validateContainer(container, at, context),
      ...checkImageBlank(container, at),
      ...repeated,
      ...(byRole ? target : []),
      ...checkEphemeralFields(container, at),
    ]
  })
}

function checkEphemeralFields(container: EphemeralContainer, field: string): FieldError[] {
  const reason = 'cannot be set for an Ephemeral Container'
  return [
    ...(['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules'] as const)
      .filter(name => isSet(container[name]))
      .map(name => forbiddenField(`${field}.${name}`, reason)),
    ...forbiddenInEphemeral
      .filter(name => container[name] !== undefined)
      .map(name => forbiddenField(`${field}.${name}`, reason)),
    ...(container.volumeMounts ?? []).flatMap((mount, m) =>
      (['subPath', 'subPathExpr'] as const)
        .filter(name => isSet(mount[name]))
        .map(name => forbiddenField(`${field}.volumeMounts[${m}].${name}`, reason)),
    ),
  ]
}
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(typeof value === 'object' && Object.keys(value ?? {}).length === 0)

/** Templates may have blanks around an image, for tools that fill it in; a Pod may not. */
export const checkImageBlanks = (containers: readonly Container[], field: string): FieldError[] =>
  containers.flatMap((container, i) => checkImageBlank(container, `${field}[${i}]`))

const checkImageBlank = ({ image = '' }: Pick<Container, 'image'>, field: string): FieldError[] =>
  image === image.trim() ? [] : [invalidValue(`${field}.image`, image, 'must not have leading or trailing whitespace')]
