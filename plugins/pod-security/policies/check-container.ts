import { type FieldError, invalidValue } from 'orch/sdk'
import type { Container, Pod } from 'orch/sdk/core'
import type { PodSecurityNames } from '../names.js'
import { checkCapabilities } from './capability-rules.js'
import { checkGroups, checkUser } from './id-rules.js'
import type { PodSecurityPolicy, PolicySpec } from './policy.js'
import { checkAppArmor, checkSeccomp, seccompOf } from './profile-rules.js'
import { checkLabel } from './se-linux-rule.js'

/** Everything about a container that the policy does not allow. Fields that it omits are inherited from the Pod. */
export function checkContainer(
  pod: Pod,
  container: Container,
  policy: PodSecurityPolicy,
  field: string,
  names: PodSecurityNames,
): FieldError[] {
  const rules = policy.spec ?? {}
  const { securityContext: own } = container
  const { securityContext: ofPod } = pod.spec
  const group = own?.runAsGroup ?? ofPod?.runAsGroup
  const at = `${field}.securityContext`
  const key = `${names.seccompContainer}${container.name}`
  const annotations = pod.metadata?.annotations ?? {}
  const seccomp =
    seccompOf(annotations[key], own?.seccompProfile) || seccompOf(annotations[names.seccompPod], ofPod?.seccompProfile)
  return [
    ...checkUser(own?.runAsUser ?? ofPod?.runAsUser, own?.runAsNonRoot ?? ofPod?.runAsNonRoot, rules.runAsUser, at),
    ...checkGroups(group === undefined ? [] : [group], rules.runAsGroup, `${at}.runAsGroup`),
    ...checkLabel(own?.seLinuxOptions ?? ofPod?.seLinuxOptions, rules.seLinux, `${at}.seLinuxOptions`),
    ...checkAppArmor(pod, container, policy, names),
    ...checkSeccomp(seccomp, policy, `metadata.annotations[${key}]`, names),
    ...checkPowers(container, rules, at),
    ...checkCapabilities(own?.capabilities, rules, `${at}.capabilities`),
    ...checkHostPorts(container, rules, field),
  ]
}

function checkPowers({ securityContext: own }: Container, rules: PolicySpec, at: string): FieldError[] {
  const errors: FieldError[] = []
  if (own?.privileged && !rules.privileged)
    errors.push(invalidValue(`${at}.privileged`, true, 'Privileged containers are not allowed'))
  const usual = 'Default'
  const procMount = own?.procMount ?? usual
  const allowed = rules.allowedProcMountTypes ?? []
  if (!(allowed.length > 0 ? allowed : [usual]).includes(procMount))
    errors.push(invalidValue(`${at}.procMount`, procMount, 'ProcMountType is not allowed'))
  if (rules.readOnlyRootFilesystem && own?.readOnlyRootFilesystem !== true)
    errors.push(
      invalidValue(
        `${at}.readOnlyRootFilesystem`,
        own?.readOnlyRootFilesystem ?? null,
        'ReadOnlyRootFilesystem must be set to true',
      ),
    )
  if (rules.allowPrivilegeEscalation === false && own?.allowPrivilegeEscalation !== false)
    errors.push(
      invalidValue(
        `${at}.allowPrivilegeEscalation`,
        own?.allowPrivilegeEscalation ?? null,
        'Allowing privilege escalation for containers is not allowed',
      ),
    )
  return errors
}

function checkHostPorts({ ports = [] }: Container, { hostPorts = [] }: PolicySpec, field: string): FieldError[] {
  const allowed = hostPorts.map(({ min, max }) => (min === max ? `${min}` : `${min}-${max}`)).join(',')
  return ports.flatMap(({ hostPort = 0 }, i) =>
    hostPort === 0 || hostPorts.some(({ min, max }) => hostPort >= min && hostPort <= max)
      ? []
      : [
          invalidValue(
            `${field}.ports[${i}].hostPort`,
            hostPort,
            `Host port ${hostPort} is not allowed to be used. Allowed ports: [${allowed}]`,
          ),
        ],
  )
}
