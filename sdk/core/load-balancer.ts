import { AtomicList, field, Int32, kept, ListOf, needed, type Static, Struct, Text } from '../schema.js'

/** State of one port of a load balancer. */
export const PortStatus = Struct('core.v1.PortStatus', {
  port: needed(1, Int32()),
  protocol: needed(2, Text()),
  error: kept(3, Text()),
})
export type PortStatus = Static<typeof PortStatus>

/** One address at which a load balancer takes traffic. */
export const LoadBalancerIngress = Struct('core.v1.LoadBalancerIngress', {
  ip: field(1, Text()),
  hostname: field(2, Text()),
  ports: field(4, AtomicList(PortStatus)),
})
export type LoadBalancerIngress = Static<typeof LoadBalancerIngress>

/** Where a load balancer takes traffic. */
export const LoadBalancerStatus = Struct('core.v1.LoadBalancerStatus', {
  ingress: field(1, ListOf(LoadBalancerIngress)),
})
export type LoadBalancerStatus = Static<typeof LoadBalancerStatus>
