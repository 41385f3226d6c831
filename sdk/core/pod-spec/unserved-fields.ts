import type { Vendor } from '../../plugin/vendor.js'
import type { Container } from '../container.js'
import type { PodSpec } from '../pod-spec.js'
import { imageVolumes, podSystems, probeGracePeriods, procMounts, restartPoliciesAreDropped } from './differences.js'
import { hasRestartPolicies, isSidecar } from './pod-rules.js'

type Part = Pick<
  Container,
  'livenessProbe' | 'readinessProbe' | 'startupProbe' | 'securityContext' | 'volumeMounts' | 'restartPolicy'
>
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

const containersOf = (spec: PodSpec | undefined): Part[] => [
  ...(spec?.containers ?? []),
  ...(spec?.initContainers ?? []),
  ...(spec?.ephemeralContainers ?? []),
]

/**
 * Removes fields that Kubernetes knows but does not serve by default: the operating system of a Pod, views of /proc other than the usual
 * one, probes with a grace period of their own, volumes from images, restart policies of containers. They are removed before validation, so
 * that no request is refused because of a field without effect. Fields of the stored spec stay allowed.
 */
export function dropUnservedFields(spec: PodSpec | undefined, { level }: Vendor, stored?: PodSpec): void {
  const before = containersOf(stored).flatMap(container => probes.map(probe => container[probe]))
  const keepsGrace =
    level.has(probeGracePeriods) || before.some(probe => probe?.terminationGracePeriodSeconds !== undefined)
  const keepsMounts = level.has(procMounts) || containersOf(stored).some(hasUnusualMount)
  for (const container of containersOf(spec)) {
    const { securityContext } = container
    if (securityContext?.procMount !== undefined && !keepsMounts) securityContext.procMount = 'Default'
    // A readiness probe never has one; validation reports it.
    if (!keepsGrace) {
      delete container.livenessProbe?.terminationGracePeriodSeconds
      delete container.startupProbe?.terminationGracePeriodSeconds
    }
  }
  if (!level.has(podSystems) && !stored?.os) delete spec?.os
  if (spec && level.has(restartPoliciesAreDropped) && !hasRestartPolicies(stored)) dropRestartPolicies(spec)
  const keepsImages = level.has(imageVolumes) || (stored?.volumes ?? []).some(({ image }) => image)
  if (spec && !keepsImages) dropImageVolumes(spec)
}

const hasUnusualMount = ({ securityContext }: Part) => (securityContext?.procMount ?? 'Default') !== 'Default'

/** Only sidecars have one. */
function dropRestartPolicies(spec: PodSpec): void {
  for (const container of containersOf(spec)) {
    const isOfSidecar = isSidecar(container) && (spec.initContainers ?? []).some(one => one === container)
    if (!isOfSidecar) delete container.restartPolicy
  }
}

/** A volume needs a source, so it is removed as a whole, together with its mounts. */
function dropImageVolumes(spec: PodSpec): void {
  const dropped = new Set((spec.volumes ?? []).filter(({ image }) => image).map(({ name }) => name))
  if (dropped.size === 0) return
  spec.volumes = (spec.volumes ?? []).filter(({ name }) => !dropped.has(name))
  for (const container of containersOf(spec))
    if (container.volumeMounts) container.volumeMounts = container.volumeMounts.filter(({ name }) => !dropped.has(name))
}
