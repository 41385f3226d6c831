import { type Pod, type SeccompProfile, seccompAnnotationOf, seccompProfileOf, type Vendor } from 'orch/sdk'
import { podAnnotations } from '../pod-spec/pod-annotations.js'

/** Seccomp profiles were annotations before they were fields: old node agents read the one, new ones the other. */
export function alignSeccomp(pod: Pod, vendor: Vendor): void {
  const names = podAnnotations(vendor)
  align(pod, names.seccompPod, pod.spec)
  for (const container of [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])])
    align(pod, `${names.seccompContainer}${container.name}`, container)
}

function align(pod: Pod, key: string, holder: { securityContext?: { seccompProfile?: SeccompProfile } }): void {
  const annotation = pod.metadata?.annotations?.[key]
  const profile = holder.securityContext?.seccompProfile
  if (profile !== undefined && annotation === undefined) {
    const text = seccompAnnotationOf(profile)
    if (text !== '') pod.metadata = { ...pod.metadata, annotations: { ...pod.metadata?.annotations, [key]: text } }
  } else if (profile === undefined && annotation !== undefined) {
    const field = seccompProfileOf(annotation)
    if (field) holder.securityContext = { ...holder.securityContext, seccompProfile: field }
  }
}
