import type { FieldError, Vendor } from 'orch/sdk'
import { validateAppArmorProfile, validateSeccompProfile } from 'orch/sdk/core'

const everything = '*'

/** The profiles that a policy names in its annotations: one that Pods get, and those they may have. */
export function validateProfiles(annotations: Readonly<Record<string, string>>, vendor: Vendor): FieldError[] {
  const appArmor = (name: string) => vendor.qualify(name, 'apparmor.security.beta')
  const seccomp = (name: string) => vendor.qualify(name, 'seccomp.security.alpha')
  const listed = (key: string) => (annotations[key] ? annotations[key].split(',') : [])
  const at = (key: string) => `metadata.annotations[${key}]`
  const [usual, allowed] = ['defaultProfileName', 'allowedProfileNames'] as const
  const usualSeccomp = annotations[seccomp(usual)]
  return [
    ...validateAppArmorProfile(annotations[appArmor(usual)] ?? '', at(appArmor(usual))),
    ...listed(appArmor(allowed)).flatMap(profile => validateAppArmorProfile(profile, at(appArmor(allowed)))),
    ...(usualSeccomp ? validateSeccompProfile(usualSeccomp, at(seccomp(usual))) : []),
    ...listed(seccomp(allowed))
      .filter(profile => profile !== everything)
      .flatMap(profile => validateSeccompProfile(profile, at(seccomp(allowed)))),
  ]
}
