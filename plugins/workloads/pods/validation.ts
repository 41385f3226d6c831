import { type FieldError, forbiddenField, type Vendor } from 'orch/sdk'
import {
  checkAppArmorAgreement,
  checkImageBlanks,
  checkSeccompAgreement,
  type Pod,
  type PodSpec,
  validatePodAnnotations,
  validatePodSpec,
} from 'orch/sdk/core'

/** Rules for every Pod, new or changed. */
export function validatePod(pod: Pod, vendor: Vendor, stored?: Pod): FieldError[] {
  return [
    ...validatePodAnnotations(pod.metadata?.annotations, pod.spec, 'metadata.annotations', vendor),
    ...validatePodSpec(pod.spec, 'spec', { podName: pod.metadata?.name ?? '', vendor, stored: stored?.spec }),
    ...checkTokens(pod.spec),
    ...checkImageBlanks(pod.spec.containers ?? [], 'spec.containers'),
    ...checkImageBlanks(pod.spec.initContainers ?? [], 'spec.initContainers'),
  ]
}

export function validateNewPod(pod: Pod, vendor: Vendor): FieldError[] {
  const errors = validatePod(pod, vendor)
  if ((pod.spec.ephemeralContainers ?? []).length > 0)
    errors.push(forbiddenField('spec.ephemeralContainers', 'cannot be set on create'))
  if ((pod.spec.nodeName ?? '') !== '' && (pod.spec.schedulingGates ?? []).length > 0)
    errors.push(forbiddenField('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'))
  const { annotations } = pod.metadata ?? {}
  return [
    ...errors,
    ...checkSeccompAgreement(annotations, pod.spec, 'spec', vendor),
    ...checkAppArmorAgreement(annotations, pod.spec, 'spec', vendor),
  ]
}

/** Only a Pod with a service account can request its token. */
function checkTokens({ serviceAccountName = '', volumes = [] }: PodSpec): FieldError[] {
  if (serviceAccountName !== '') return []
  return volumes.flatMap(({ projected }, v) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, s) =>
      serviceAccountToken === undefined
        ? []
        : [
            forbiddenField(
              `spec.volumes[${v}].projected.sources[${s}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ],
    ),
  )
}
