import { type FieldError, forbiddenField, type PodSpec } from 'orch/sdk'
import { safeSysctls } from '../standards/checks/sysctls.js'
import type { PolicySpec } from './policy.js'

/** Pods may set kernel parameters that concern only themselves, and those the policy allows. */
export function checkSysctls({ securityContext }: PodSpec, spec: PolicySpec): FieldError[] {
  const matches = (name: string, patterns: readonly string[] = []) =>
    patterns.some(pattern => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))
  return (securityContext?.sysctls ?? []).flatMap(({ name }, i) => {
    const field = `spec.securityContext.sysctls[${i}]`
    if (matches(name, spec.forbiddenSysctls)) return [forbiddenField(field, `sysctl "${name}" is not allowed`)]
    return safeSysctls.has(name) || matches(name, spec.allowedUnsafeSysctls)
      ? []
      : [forbiddenField(field, `unsafe sysctl "${name}" is not allowed`)]
  })
}
