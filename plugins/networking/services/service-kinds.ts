import type { ServedLevel } from 'orch/sdk'
import type { Service, ServiceSpec } from 'orch/sdk/core'
import { canonicalIp } from 'orch/sdk/validation'
import { externalIpsHavePolicies } from '../differences.js'

/** The value of `clusterIP` of a headless Service, whose clients discover the endpoints themselves. */
export const noAddress = 'None'

export const specOf = (service: Service): ServiceSpec => service.spec ?? {}
export const isHeadless = ({ clusterIP, clusterIPs = [] }: ServiceSpec): boolean =>
  clusterIP === noAddress || (clusterIPs.length === 1 && clusterIPs[0] === noAddress)
/** The cluster addresses that a Service has, in the form in which they are compared and in which objects are named after them. */
export const addressesOf = (service: Service | undefined): string[] =>
  (service?.spec?.clusterIPs ?? []).filter(address => address !== noAddress && address !== '').map(canonicalIp)
export const isExternalName = ({ type }: ServiceSpec): boolean => type === 'ExternalName'
/** Whether it has a cluster address. */
export const needsClusterIp = ({ type = '' }: ServiceSpec): boolean =>
  ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(type)
/** Whether it opens a port on every node. */
export const needsNodePort = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)
export const isExternallyReachable = ({ type }: ServiceSpec): boolean => type === 'NodePort' || type === 'LoadBalancer'
/** Whether it has a policy for external traffic. */
export const hasTrafficPolicy = (spec: ServiceSpec, level: ServedLevel): boolean =>
  isExternallyReachable(spec) || (hasExternalIps(spec) && level.has(externalIpsHavePolicies))
const hasExternalIps = ({ type, externalIPs = [] }: ServiceSpec) => type === 'ClusterIP' && externalIPs.length > 0
/** Whether the load balancer checks on each node if it has endpoints. */
export const needsHealthCheckPort = ({ type, externalTrafficPolicy }: ServiceSpec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
