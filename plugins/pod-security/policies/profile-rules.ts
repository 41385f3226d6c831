import { type FieldError, forbiddenField } from 'orch/sdk'
import { type Container, type Pod, type SeccompProfile, seccompAnnotationOf } from 'orch/sdk/core'
import type { PodSecurityNames } from '../names.js'
import type { PodSecurityPolicy } from './policy.js'

const any = '*'
const runtimeDefaults = ['runtime/default', 'docker/default']

/** A list in an annotation of the policy; undefined when there is none. */
function listIn(policy: PodSecurityPolicy, annotation: string): string[] | undefined {
  return policy.metadata?.annotations?.[annotation]?.split(',')
}

/** The seccomp profile of a Pod or container: the annotation, or else the field. */
export const seccompOf = (annotation: string | undefined, profile: SeccompProfile | undefined): string =>
  annotation || (profile ? seccompAnnotationOf(profile) : '')

/** Without a list, a policy allows no seccomp profile to be set at all. */
export function checkSeccomp(
  profile: string,
  policy: PodSecurityPolicy,
  field: string,
  { allowedSeccomp }: PodSecurityNames,
): FieldError[] {
  const allowed = listIn(policy, allowedSeccomp)
  if (!allowed) return profile === '' ? [] : [forbiddenField(field, 'seccomp may not be set')]
  const names = runtimeDefaults.includes(profile) ? runtimeDefaults : [profile]
  return allowed.includes(any) || names.some(name => allowed.includes(name))
    ? []
    : [forbiddenField(field, `${profile} is not an allowed seccomp profile. Valid values are ${allowed}`)]
}

/** Without a list, a policy allows every AppArmor profile. */
export function checkAppArmor(
  { metadata }: Pod,
  { name }: Container,
  policy: PodSecurityPolicy,
  { allowedAppArmor, appArmorContainer }: PodSecurityNames,
): FieldError[] {
  const allowed = listIn(policy, allowedAppArmor)
  if (!allowed || allowed.includes(any)) return []
  const key = `${appArmorContainer}${name}`
  const profile = metadata?.annotations?.[key] ?? ''
  if (profile === '') return [forbiddenField(`metadata.annotations[${key}]`, 'AppArmor profile must be set')]
  return allowed.includes(profile)
    ? []
    : [
        forbiddenField(
          `metadata.annotations[${key}]`,
          `${profile} is not an allowed profile. Allowed values: "${allowed}"`,
        ),
      ]
}
