import { type Container, type Pod, seccompProfileOf } from 'orch/sdk/core'
import type { PodSecurityNames } from '../names.js'
import { fillCapabilities } from './capability-rules.js'
import { defaultId } from './id-rules.js'
import type { PodSecurityPolicy, PolicySpec } from './policy.js'
import { seccompOf } from './profile-rules.js'
import { defaultLabel } from './se-linux-rule.js'

/** A copy of the Pod with the defaults of the policy for fields that it omits. */
export function fillPod(given: Pod, policy: PodSecurityPolicy, names: PodSecurityNames): Pod {
  const pod = structuredClone(given)
  const spec = policy.spec ?? {}
  const context = pod.spec.securityContext ?? {}
  const group = defaultId(spec.supplementalGroups)
  const fsGroup = defaultId(spec.fsGroup)
  const label = defaultLabel(spec.seLinux)
  if (!context.supplementalGroups?.length && group !== undefined) context.supplementalGroups = [group]
  if (context.fsGroup === undefined && fsGroup !== undefined) context.fsGroup = fsGroup
  if (!context.seLinuxOptions && label) context.seLinuxOptions = label
  const { annotations = {} } = pod.metadata ?? {}
  const seccomp =
    seccompOf(annotations[names.seccompPod], context.seccompProfile) ||
    policy.metadata?.annotations?.[names.defaultSeccomp] ||
    ''
  const profile = seccompProfileOf(seccomp)
  if (seccomp !== '') annotate(pod, names.seccompPod, seccomp)
  if (profile && !context.seccompProfile) context.seccompProfile = profile
  if (Object.keys(context).length > 0) pod.spec.securityContext = context
  const runtime = spec.runtimeClass?.defaultRuntimeClassName
  if (pod.spec.runtimeClassName === undefined && runtime !== undefined) pod.spec.runtimeClassName = runtime
  const { initContainers, containers, ephemeralContainers } = pod.spec
  for (const container of [initContainers, containers, ephemeralContainers].flatMap(list => list ?? [])) {
    fillContainer(pod, container, spec)
    const appArmor = policy.metadata?.annotations?.[names.defaultAppArmor] ?? ''
    const key = `${names.appArmorContainer}${container.name}`
    if (appArmor !== '' && !pod.metadata?.annotations?.[key]) annotate(pod, key, appArmor)
  }
  return pod
}

/** In place, because the Pod is a copy: copying its annotations for each container would take long for many. */
function annotate(pod: Pod, key: string, value: string): void {
  pod.metadata ??= {}
  pod.metadata.annotations ??= {}
  pod.metadata.annotations[key] = value
}

/** Containers inherit from the Pod what they do not set themselves. */
function fillContainer({ spec: podSpec }: Pod, container: Container, spec: PolicySpec): void {
  const ofPod = podSpec.securityContext ?? {}
  const context = container.securityContext ?? {}
  const user = defaultId(spec.runAsUser)
  const group = defaultId(spec.runAsGroup)
  const label = defaultLabel(spec.seLinux)
  if ((context.runAsUser ?? ofPod.runAsUser) === undefined && user !== undefined) context.runAsUser = user
  if ((context.runAsGroup ?? ofPod.runAsGroup) === undefined && group !== undefined) context.runAsGroup = group
  if (!context.seLinuxOptions && !ofPod.seLinuxOptions && label) context.seLinuxOptions = label
  const saysNothing =
    (context.runAsNonRoot ?? ofPod.runAsNonRoot) === undefined && (context.runAsUser ?? ofPod.runAsUser) === undefined
  // The node agent then checks the user of the image.
  if (saysNothing && spec.runAsUser?.rule === 'MustRunAsNonRoot') context.runAsNonRoot = true
  const capabilities = fillCapabilities(context.capabilities, spec)
  if (capabilities) context.capabilities = capabilities
  if (spec.readOnlyRootFilesystem) context.readOnlyRootFilesystem ??= true
  if (spec.defaultAllowPrivilegeEscalation !== undefined)
    context.allowPrivilegeEscalation ??= spec.defaultAllowPrivilegeEscalation
  if (spec.allowPrivilegeEscalation === false) context.allowPrivilegeEscalation ??= false
  if (Object.keys(context).length > 0) container.securityContext = context
}
