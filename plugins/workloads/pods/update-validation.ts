import { isDeepStrictEqual } from 'node:util'
import { addAll, type FieldError, forbiddenField, invalidValue, requiredValue, type Vendor } from 'orch/sdk'
import {
  type Container,
  checkImageBlanks,
  maxDeadlineSeconds,
  type Pod,
  type PodSpec,
  podAnnotations,
  qualityOfService,
  type Toleration,
  validatePodAnnotations,
  validateTolerations,
} from 'orch/sdk/core'
import { isInRange } from 'orch/sdk/validation'
import { serviceClassOfUpdates } from './differences.js'
import { checkGatedChanges, storedGatedFields } from './gated-changes.js'
import { validatePod } from './validation.js'

/** The spec of a Pod is immutable, except for images, a shorter deadline, and additional tolerations. */
export function validatePodUpdate(sent: Pod, stored: Pod, vendor: Vendor): FieldError[] {
  const errors = [...validatePod(sent, vendor, stored), ...validateAnnotationsUpdate(sent, stored, vendor)]
  for (const name of ['containers', 'initContainers'] as const) {
    const { length } = stored.spec[name] ?? []
    if ((sent.spec[name] ?? []).length !== length)
      return [...errors, forbiddenField(`spec.${name}`, 'pod updates may not add or remove containers')]
    addAll(errors, checkImages(sent.spec[name] ?? [], `spec.${name}`))
    addAll(errors, checkImageBlanks(sent.spec[name] ?? [], `spec.${name}`))
  }
  const deadline = validateDeadline(sent.spec.activeDeadlineSeconds, stored.spec.activeDeadlineSeconds)
  addAll(errors, deadline)
  if (deadline.length > 0 && sent.spec.activeDeadlineSeconds !== undefined) return errors
  addAll(errors, validateAddedTolerations(sent.spec.tolerations ?? [], stored.spec.tolerations ?? []))
  addAll(errors, checkNoNewGates(sent.spec, stored.spec))
  if (vendor.level.has(serviceClassOfUpdates)) addAll(errors, checkServiceClass(sent, stored))
  addAll(errors, checkGatedChanges(sent.spec, stored.spec))
  if (!isDeepStrictEqual(withStoredMutableFields(sent.spec, stored.spec), normalize(stored.spec)))
    errors.push(
      forbiddenField(
        'spec',
        'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)',
      ),
    )
  return errors
}

function checkServiceClass({ spec }: Pod, stored: Pod): FieldError[] {
  const before = stored.status?.qosClass ?? qualityOfService(stored.spec)
  const after = qualityOfService(spec)
  return before === after ? [] : [invalidValue('metadata', after, 'Pod QoS is immutable')]
}

const checkNoNewGates = ({ schedulingGates = [] }: PodSpec, stored: PodSpec): FieldError[] => {
  const before = new Set((stored.schedulingGates ?? []).map(({ name }) => name))
  return schedulingGates.flatMap(({ name }, i) =>
    before.has(name)
      ? []
      : [
          forbiddenField(
            `spec.schedulingGates[${i}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  )
}

const checkImages = (containers: readonly Container[], field: string): FieldError[] =>
  containers.flatMap(({ image = '' }, i) => (image === '' ? [requiredValue(`${field}[${i}].image`)] : []))

function validateDeadline(sent: number | undefined, stored: number | undefined): FieldError[] {
  const field = 'spec.activeDeadlineSeconds'
  if (sent === undefined)
    return stored === undefined
      ? []
      : [invalidValue(field, null, 'must not update from a positive integer to nil value')]
  const broken = isInRange(sent, 0, maxDeadlineSeconds)
  if (broken.length > 0) return broken.map(text => invalidValue(field, sent, text))
  return stored !== undefined && stored < sent
    ? [invalidValue(field, sent, 'must be less than or equal to previous value')]
    : []
}

/** A toleration as text, without its tolerationSeconds. */
const withoutSeconds = ({ key = '', operator = '', value = '', effect = '' }: Toleration) =>
  JSON.stringify([key, operator, value, effect])
/** Existing tolerations must remain; only their tolerationSeconds may change. */
function validateAddedTolerations(sent: readonly Toleration[], stored: readonly Toleration[]): FieldError[] {
  const field = 'spec.tolerations'
  const kept = new Set(sent.map(withoutSeconds))
  if (!stored.every(old => kept.has(withoutSeconds(old))))
    return [forbiddenField(field, 'existing toleration can not be modified except its tolerationSeconds')]
  return validateTolerations(sent, field)
}

/** Removes undefined fields, so that they compare equal to absent ones. */
const normalize = (spec: PodSpec): unknown => JSON.parse(JSON.stringify(spec))

/** The sent spec with the stored values of all mutable fields. */
function withStoredMutableFields(sent: PodSpec, stored: PodSpec): unknown {
  const withImages = (containers: readonly Container[] | undefined, old: readonly Container[] | undefined) =>
    containers?.map((container, i) => ({ ...container, image: old?.[i]?.image }))
  // A negative grace period means 1, and may be corrected to 1.
  const isCorrected = (stored.terminationGracePeriodSeconds ?? 0) < 0 && sent.terminationGracePeriodSeconds === 1
  const isGated = (stored.schedulingGates ?? []).length > 0
  return normalize({
    ...sent,
    ...(isGated ? storedGatedFields(sent, stored) : {}),
    schedulingGates: stored.schedulingGates,
    containers: withImages(sent.containers, stored.containers) ?? [],
    initContainers: withImages(sent.initContainers, stored.initContainers),
    activeDeadlineSeconds: stored.activeDeadlineSeconds,
    tolerations: stored.tolerations,
    ...(isCorrected ? { terminationGracePeriodSeconds: stored.terminationGracePeriodSeconds } : {}),
  })
}

/** Annotations that node agents read are immutable, and must be well-formed. */
export function validateAnnotationsUpdate(sent: Pod, stored: Pod, vendor: Vendor): FieldError[] {
  const names = podAnnotations(vendor)
  const before = stored.metadata?.annotations ?? {}
  const after = sent.metadata?.annotations ?? {}
  const isFixed = (key: string) => key === names.mirror || key.startsWith(names.appArmorContainer)
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    key => isFixed(key) && before[key] !== after[key],
  )
  const forbidden = changed.map(key =>
    forbiddenField(
      `metadata.annotations[${key}]`,
      key === names.mirror ? 'may not modify mirror pod annotation' : 'may not modify AppArmor annotations',
    ),
  )
  return [...forbidden, ...validatePodAnnotations(after, sent.spec, 'metadata.annotations', vendor)]
}
