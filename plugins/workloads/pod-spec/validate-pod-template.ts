import {
  type FieldError,
  forbiddenField,
  invalidValue,
  isQualifiedName,
  type PodTemplateSpec,
  type Vendor,
  validateLabels,
} from 'orch/sdk'
import { checkSeccompAgreement } from './seccomp-agreement.js'
import { validatePodAnnotations } from './validate-pod-annotations.js'
import { validatePodSpec } from './validate-pod-spec.js'

/** The Pods that something else will make. Labels and annotations are reported without `metadata`, as clients know them. */
export function validatePodTemplate(
  { metadata = {}, spec }: PodTemplateSpec,
  field: string,
  vendor: Vendor,
): FieldError[] {
  const podSpec = spec ?? { containers: [] }
  return [
    ...validateLabels(metadata.labels, `${field}.labels`),
    ...Object.keys(metadata.annotations ?? {}).flatMap(key =>
      isQualifiedName(key.toLowerCase()).map(text => invalidValue(`${field}.annotations`, key, text)),
    ),
    ...validatePodAnnotations(metadata.annotations, podSpec, `${field}.annotations`, vendor),
    ...validatePodSpec(podSpec, `${field}.spec`, { podName: '', vendor }),
    ...checkSeccompAgreement(metadata.annotations, podSpec, `${field}.spec`, vendor),
    ...((podSpec.ephemeralContainers ?? []).length > 0
      ? [forbiddenField(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ]
}
