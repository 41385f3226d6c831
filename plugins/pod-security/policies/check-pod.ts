import { type FieldError, forbiddenField, invalidValue } from 'orch/sdk'
import type { Pod, PodSpec } from 'orch/sdk/core'
import type { PodSecurityNames } from '../names.js'
import { safeSysctls } from '../standards/checks/sysctls.js'
import { checkContainer } from './check-container.js'
import { checkGroups } from './id-rules.js'
import type { PodSecurityPolicy, PolicySpec } from './policy.js'
import { checkSeccomp, seccompOf } from './profile-rules.js'
import { checkLabel } from './se-linux-rule.js'
import { checkVolumes } from './volume-rules.js'

/** Pods may set kernel parameters that concern only themselves, and those the policy allows. */
function checkSysctls({ securityContext }: PodSpec, spec: PolicySpec): FieldError[] {
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

/** Everything about a Pod that the policy does not allow. */
export function checkPod(pod: Pod, policy: PodSecurityPolicy, names: PodSecurityNames): FieldError[] {
  const rules = policy.spec ?? {}
  const { spec } = pod
  const { securityContext: context } = spec
  const at = 'spec.securityContext'
  const seccomp = seccompOf(pod.metadata?.annotations?.[names.seccompPod], context?.seccompProfile)
  return [
    ...checkGroups(context?.fsGroup === undefined ? [] : [context.fsGroup], rules.fsGroup, `${at}.fsGroup`),
    ...checkGroups(context?.supplementalGroups ?? [], rules.supplementalGroups, `${at}.supplementalGroups`),
    ...checkSeccomp(seccomp, policy, `metadata.annotations[${names.seccompPod}]`, names),
    ...checkLabel(context?.seLinuxOptions, rules.seLinux, `${at}.seLinuxOptions`),
    ...checkHost(spec, rules),
    ...checkSysctls(spec, rules),
    ...checkVolumes(spec, rules, names),
    ...checkRuntimeClass(spec, rules),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap(list =>
      (spec[list] ?? []).flatMap((container, i) => checkContainer(pod, container, policy, `spec.${list}[${i}]`, names)),
    ),
  ]
}

const checkHost = (spec: PodSpec, rules: PolicySpec): FieldError[] =>
  (
    [
      ['hostNetwork', 'Host network'],
      ['hostPID', 'Host PID'],
      ['hostIPC', 'Host IPC'],
    ] as const
  )
    .filter(([field]) => spec[field] && !rules[field])
    .map(([field, title]) => invalidValue(`spec.securityContext.${field}`, true, `${title} is not allowed to be used`))

function checkRuntimeClass({ runtimeClassName: name }: PodSpec, { runtimeClass }: PolicySpec): FieldError[] {
  if (!runtimeClass || name === undefined) return []
  const allowed = runtimeClass.allowedRuntimeClassNames ?? []
  return allowed.includes('*') || allowed.includes(name)
    ? []
    : [invalidValue('spec.runtimeClassName', name, 'runtime class is not allowed to be used')]
}
