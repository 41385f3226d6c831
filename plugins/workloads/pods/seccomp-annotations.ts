import type { Vendor } from 'orch/sdk'
import { type Pod, podAnnotations, type SeccompProfile, seccompAnnotationOf, seccompProfileOf } from 'orch/sdk/core'

/** Seccomp profiles were annotations before they were fields: old node agents read the one, new ones the other. */
export function alignSeccomp(pod: Pod, vendor: Vendor): void {
  const names = podAnnotations(vendor)
  const annotations = { ...pod.metadata?.annotations }
  align(annotations, names.seccompPod, pod.spec)
  for (const container of [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])])
    align(annotations, `${names.seccompContainer}${container.name}`, container)
  if (Object.keys(annotations).length > 0) pod.metadata = { ...pod.metadata, annotations }
}

interface Holder {
  securityContext?: { seccompProfile?: SeccompProfile }
}
function align(annotations: Record<string, string>, key: string, holder: Holder): void {
  const annotation = annotations[key]
  const profile = holder.securityContext?.seccompProfile
  if (profile !== undefined && annotation === undefined) {
    const text = seccompAnnotationOf(profile)
    if (text !== '') annotations[key] = text
  } else if (profile === undefined && annotation !== undefined) {
    const field = seccompProfileOf(annotation)
    if (field) holder.securityContext = { ...holder.securityContext, seccompProfile: field }
  }
}
