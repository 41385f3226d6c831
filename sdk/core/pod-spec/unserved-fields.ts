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
 * Takes out what the reference knows but does not serve in its default setting: the operating system of a Pod, views of
 * /proc other than the usual one, probes by gRPC and with a grace period of their own, volumes from images. They go before
 * anything judges the Pod, so that nobody is refused for what would not happen. What the stored spec has stays possible.
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

/** Without its source a volume would be none, so it goes as a whole, and with it what mounts it. */
function dropImageVolumes(spec: PodSpec): void {
  const dropped = new Set((spec.volumes ?? []).filter(({ image }) => image).map(({ name }) => name))
  if (dropped.size === 0) return
  spec.volumes = (spec.volumes ?? []).filter(({ name }) => !dropped.has(name))
  for (const container of containersOf(spec))
    if (container.volumeMounts) container.volumeMounts = container.volumeMounts.filter(({ name }) => !dropped.has(name))
}
