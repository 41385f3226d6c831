import type { Service } from './schema.js'
import { isExternallyReachable, needsClusterIp } from './service-kinds.js'

const stickySeconds = 10_800

/** Fills what depends on other fields. */
export function fillService({ spec }: Service): void {
  if (spec === undefined) return
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  if (spec.sessionAffinity === 'ClientIP')
    spec.sessionAffinityConfig = {
      clientIP: { timeoutSeconds: spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? stickySeconds },
    }
  for (const port of spec.ports ?? []) if (!port.targetPort) port.targetPort = port.port
  if (isExternallyReachable(spec)) spec.externalTrafficPolicy ||= 'Cluster'
  if (needsClusterIp(spec)) spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
}
