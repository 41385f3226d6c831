import type { Container } from '../container.js'
import type { PodSpec } from '../pod-spec.js'

type Part = Pick<Container, 'livenessProbe' | 'readinessProbe' | 'startupProbe' | 'securityContext'>
const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

const containersOf = (spec: PodSpec | undefined): Part[] => [
  ...(spec?.containers ?? []),
  ...(spec?.initContainers ?? []),
  ...(spec?.ephemeralContainers ?? []),
]

/**
 * Takes out what the reference knows but does not serve in its default setting: the operating system of a Pod, views of
 * /proc other than the usual one, probes by gRPC and with a grace period of their own. They go before anything judges the
 * Pod, so that nobody is refused for what would not happen. Probes that the stored spec has stay possible.
 */
export function dropUnservedFields(spec: PodSpec | undefined, stored?: PodSpec): void {
  const before = containersOf(stored).flatMap(container => probes.map(probe => container[probe]))
  const keepsGrpc = before.some(probe => probe?.grpc !== undefined)
  const keepsGrace = before.some(probe => probe?.terminationGracePeriodSeconds !== undefined)
  for (const container of containersOf(spec)) {
    const { securityContext } = container
    if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default'
    for (const probe of probes) if (!keepsGrpc) delete container[probe]?.grpc
    // A readiness probe never has one, and is told so.
    if (!keepsGrace) {
      delete container.livenessProbe?.terminationGracePeriodSeconds
      delete container.startupProbe?.terminationGracePeriodSeconds
    }
  }
  delete spec?.os
}
