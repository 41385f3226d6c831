import type { Vendor } from '../../plugin/vendor.js'
import { type FieldError, forbiddenField } from '../../resource/field-errors.js'
import type { PodSpec } from '../pod-spec.js'
import type { AppArmorProfile } from '../security-context.js'
import { appArmorAnnotation } from './app-armor-annotation.js'
import { podAnnotations } from './pod-annotations.js'

/**
 * An AppArmor profile that is set both as an annotation and as a field must be the same in both. Containers without the field have the
 * profile of the Pod. `field` is the spec.
 */
export function checkAppArmorAgreement(
  annotations: Readonly<Record<string, string>> = {},
  spec: PodSpec,
  field: string,
  vendor: Vendor,
): FieldError[] {
  // Windows has no AppArmor.
  if (spec.os?.name === 'windows') return []
  const prefix = podAnnotations(vendor).appArmorContainer
  const ofPod = spec.securityContext?.appArmorProfile
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap(list =>
    (spec[list] ?? []).flatMap(({ name, securityContext }, i) => {
      const at = `${field}.${list}[${i}].securityContext.appArmorProfile`
      return checkOne(annotations[`${prefix}${name}`], securityContext?.appArmorProfile ?? ofPod, at)
    }),
  )
}

const types = ['Unconfined', 'RuntimeDefault', 'Localhost']
function checkOne(annotation: string | undefined, profile: AppArmorProfile | undefined, field: string): FieldError[] {
  // An unknown type is reported elsewhere.
  if (annotation === undefined || !profile || !types.includes(profile.type)) return []
  if (annotation === appArmorAnnotation.of(profile)) return []
  return profile.type === 'Localhost' && appArmorAnnotation.namesFile(annotation)
    ? [forbiddenField(`${field}.localhostProfile`, 'AppArmor profile in annotation and field must match')]
    : [forbiddenField(`${field}.type`, 'AppArmor type in annotation and field must match')]
}
