import { AtomicList, field, Int32, kept, ListOf, required, type Static, Struct, Text } from '../resource/schema.js'

/** State of one port of a load balancer. */
export const PortStatus = Struct(
  'core.v1.PortStatus',
  {
    port: required(1, Int32(), 'Number of the port.'),
    protocol: required(2, Text(), 'TCP, UDP or SCTP.'),
    error: kept(3, Text(), 'Why it does not work.'),
  },
  { description: 'Status of a port of a load balancer.' },
)
export type PortStatus = Static<typeof PortStatus>

/** One address at which a load balancer takes traffic. */
export const LoadBalancerIngress = Struct(
  'core.v1.LoadBalancerIngress',
  {
    ip: field(1, Text(), 'The IP address, if it has one.'),
    hostname: field(2, Text(), 'The host name, if it has no IP address.'),
    ipMode: kept(3, Text(), {
      description: 'How traffic for the address arrives at nodes: VIP (the default) or Proxy.',
      since: '1.29',
      gate: 'LoadBalancerIPMode',
    }),
    ports: field(4, AtomicList(PortStatus), 'Status of its ports.'),
  },
  { description: 'An address of a load balancer.' },
)
export type LoadBalancerIngress = Static<typeof LoadBalancerIngress>

/** Where a load balancer accepts traffic. */
export const LoadBalancerStatus = Struct(
  'core.v1.LoadBalancerStatus',
  {
    ingress: field(1, ListOf(LoadBalancerIngress), 'Its addresses.'),
  },
  { description: 'How a load balancer can be reached.' },
)
export type LoadBalancerStatus = Static<typeof LoadBalancerStatus>
