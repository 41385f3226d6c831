import type { Vendor } from '../../plugin/vendor.js'
import { type FieldError, forbiddenField } from '../../resource/field-errors.js'
import type { PodSpec } from '../pod-spec.js'
import { seccompProfileOf } from '../seccomp-profiles.js'
import type { SeccompProfile } from '../security-context.js'
import { podAnnotations } from './pod-annotations.js'

/** A seccomp profile that is set both as an annotation and as a field must be the same in both. `field` is the spec. */
export function checkSeccompAgreement(
  annotations: Readonly<Record<string, string>> = {},
  spec: PodSpec,
  field: string,
  vendor: Vendor,
): FieldError[] {
  const names = podAnnotations(vendor)
  const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const
  return [
    ...checkOne(annotations[names.seccompPod], spec.securityContext?.seccompProfile, `${field}.securityContext`),
    ...lists.flatMap(list =>
      (spec[list] ?? []).flatMap(({ name, securityContext }, i) =>
        checkOne(
          annotations[`${names.seccompContainer}${name}`],
          securityContext?.seccompProfile,
          `${field}.${list}[${i}].securityContext`,
        ),
      ),
    ),
  ]
}

const types = ['Unconfined', 'RuntimeDefault', 'Localhost']
function checkOne(annotation: string | undefined, profile: SeccompProfile | undefined, field: string): FieldError[] {
  // An unknown type is reported elsewhere.
  if (annotation === undefined || !profile || !types.includes(profile.type)) return []
  const meant = seccompProfileOf(annotation)
  if (meant?.type !== profile.type)
    return [forbiddenField(`${field}.seccompProfile.type`, 'seccomp type in annotation and field must match')]
  return profile.type !== 'Localhost' || meant.localhostProfile === profile.localhostProfile
    ? []
    : [forbiddenField(`${field}.seccompProfile.localhostProfile`, 'seccomp profile in annotation and field must match')]
}
