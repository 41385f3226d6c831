import type { ServedLevel } from 'orch/sdk'
import type { Service, ServiceSpec } from 'orch/sdk/core'
import { externalIpsHavePolicies } from '../differences.js'

/** The value of `clusterIP` that asks for no address: clients find the endpoints themselves. */
export const noAddress = 'None'

export const specOf = (service: Service): ServiceSpec => service.spec ?? {}
export const isHeadless = ({ clusterIP, clusterIPs = [] }: ServiceSpec): boolean =>
  clusterIP === noAddress || (clusterIPs.length === 1 && clusterIPs[0] === noAddress)
export const isExternalName = ({ type }: ServiceSpec): boolean => type === 'ExternalName'
/** Does it have an address inside the cluster? */
export const needsClusterIp = ({ type = '' }: ServiceSpec): boolean =>
  ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(type)
/** Does it open a port on every node? */
export const needsNodePort = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)
export const isExternallyReachable = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer'
/** Is there a choice of how traffic from outside is spread? */
export const hasTrafficPolicy = (spec: ServiceSpec, level: ServedLevel): boolean =>
  isExternallyReachable(spec) || (hasExternalIps(spec) && level.has(externalIpsHavePolicies))
const hasExternalIps = ({ type, externalIPs = [] }: ServiceSpec) => type === 'ClusterIP' && externalIPs.length > 0
/** Does a load balancer ask each node whether it has endpoints? */
export const needsHealthCheckPort = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
