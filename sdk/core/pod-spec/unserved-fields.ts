import type { Vendor } from '../../plugin/vendor.js'
import type { Container } from '../container.js'
import type { PodSpec } from '../pod-spec.js'
import { grpcProbes, imageVolumes, podSystems, probeGracePeriods, procMounts } from './differences.js'

type Part = Pick<Container, 'livenessProbe' | 'readinessProbe' | 'startupProbe' | 'securityContext' | 'volumeMounts'>
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

const containersOf = (spec: PodSpec | undefined): Part[] => [
  ...(spec?.containers ?? []),
  ...(spec?.initContainers ?? []),
  ...(spec?.ephemeralContainers ?? []),
]

/**
 * Removes fields that Kubernetes knows but does not serve by default: the operating system of a Pod, views of /proc other than the usual
 * one, probes by gRPC and with a grace period of their own, volumes from images. They are removed before validation, so that no request is
 * refused because of a field without effect. Fields of the stored spec stay allowed.
 */
export function dropUnservedFields(spec: PodSpec | undefined, { level }: Vendor, stored?: PodSpec): void {
  const before = containersOf(stored).flatMap(container => probes.map(probe => container[probe]))
  const keepsGrpc = level.has(grpcProbes) || before.some(probe => probe?.grpc !== undefined)
  const keepsGrace =
    level.has(probeGracePeriods) || before.some(probe => probe?.terminationGracePeriodSeconds !== undefined)
  for (const container of containersOf(spec)) {
    const { securityContext } = container
    if (securityContext?.procMount !== undefined && !level.has(procMounts)) securityContext.procMount = 'Default'
    for (const probe of probes) if (!keepsGrpc) delete container[probe]?.grpc
    // A readiness probe never has one; validation reports it.
    if (!keepsGrace) {
      delete container.livenessProbe?.terminationGracePeriodSeconds
      delete container.startupProbe?.terminationGracePeriodSeconds
    }
  }
  if (!level.has(podSystems)) delete spec?.os
  const keepsImages = level.has(imageVolumes) || (stored?.volumes ?? []).some(({ image }) => image)
  if (spec && !keepsImages) dropImageVolumes(spec)
}

/** A volume needs a source, so it is removed as a whole, together with its mounts. */
function dropImageVolumes(spec: PodSpec): void {
  const dropped = new Set((spec.volumes ?? []).filter(({ image }) => image).map(({ name }) => name))
  if (dropped.size === 0) return
  spec.volumes = (spec.volumes ?? []).filter(({ name }) => !dropped.has(name))
  for (const container of containersOf(spec))
    if (container.volumeMounts) container.volumeMounts = container.volumeMounts.filter(({ name }) => !dropped.has(name))
}
