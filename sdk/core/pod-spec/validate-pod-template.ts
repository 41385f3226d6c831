import type { Vendor } from '../../plugin/vendor.js'
import { type FieldError, forbiddenField } from '../../resource/field-errors.js'
import { validateLabels } from '../../validation/selectors.js'
import type { PodTemplateSpec } from '../pod-spec.js'
import { checkAppArmorAgreement } from './app-armor-agreement.js'
import { checkSeccompAgreement } from './seccomp-agreement.js'
import { validateAnnotations } from './validate-annotations.js'
import { validatePodAnnotations } from './validate-pod-annotations.js'
import { validatePodSpec } from './validate-pod-spec.js'

/**
 * Validates a template of Pods. Errors of labels and annotations lack `metadata` in their path, as in Kubernetes. Some invalid values
 * that are already `stored` are accepted.
 */
export function validatePodTemplate(
  { metadata = {}, spec }: PodTemplateSpec,
  field: string,
  vendor: Vendor,
  stored?: PodTemplateSpec,
): FieldError[] {
  const podSpec = spec ?? { containers: [] }
  return [
    ...validateLabels(metadata.labels, `${field}.labels`),
    ...validateAnnotations(metadata.annotations, `${field}.annotations`),
    ...validatePodAnnotations(metadata.annotations, podSpec, `${field}.annotations`, vendor),
    ...validatePodSpec(podSpec, `${field}.spec`, { podName: '', isTemplate: true, vendor, stored: stored?.spec }),
    ...checkSeccompAgreement(metadata.annotations, podSpec, `${field}.spec`, vendor),
    ...checkAppArmorAgreement(metadata.annotations, podSpec, `${field}.spec`, vendor),
    ...((podSpec.ephemeralContainers ?? []).length > 0
      ? [forbiddenField(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ]
}
