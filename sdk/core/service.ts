import { Condition, Kind } from '../resource/meta.js'
import {
  AtomicList,
  Bool,
  embedded,
  field,
  Int32,
  IntOrString,
  KeyedList,
  kept,
  ListOf,
  required,
  type Static,
  StringMap,
  Struct,
  Text,
} from '../resource/schema.js'
import { LoadBalancerStatus } from './load-balancer.js'
import { portNumbers, protocols } from './port-limits.js'

const serviceTypes: readonly string[] = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const affinities: readonly string[] = ['ClientIP', 'None']
const trafficPolicies: readonly string[] = ['Cluster', 'Local']

/** A port of a Service. */
export const ServicePort = Struct(
  'core.v1.ServicePort',
  {
    name: field(1, Text(), 'Name of the port. Required when there are several.'),
    protocol: field(2, Text({ enum: protocols }), { description: 'TCP, UDP or SCTP. TCP by default.', default: 'TCP' }),
    appProtocol: kept(6, Text(), 'Protocol of the application.'),
    port: required(3, Int32(portNumbers), 'Number of the port.'),
    targetPort: embedded(4, IntOrString(), 'Number or name of the port at the Pods. That of the Service by default.'),
    nodePort: field(
      5,
      Int32(),
      'Port on every node, for types NodePort and LoadBalancer. Chosen by the server if it is not set.',
    ),
  },
  { description: 'A port of a Service.' },
)
export type ServicePort = Static<typeof ServicePort>

/** How long a client is routed to the same Pod. */
export const ClientIPConfig = Struct(
  'core.v1.ClientIPConfig',
  {
    timeoutSeconds: kept(
      1,
      Int32({ minimum: 1, maximum: 86_400 }),
      'Seconds without traffic after which the affinity ends, 1 to 86400. 10800 by default.',
    ),
  },
  { description: 'How long a client is routed to the same Pod.' },
)
export type ClientIPConfig = Static<typeof ClientIPConfig>

/** Settings of session affinity. */
export const SessionAffinityConfig = Struct(
  'core.v1.SessionAffinityConfig',
  {
    clientIP: kept(1, ClientIPConfig, 'Settings of affinity by the address of the client.'),
  },
  { description: 'Settings of session affinity.' },
)
export type SessionAffinityConfig = Static<typeof SessionAffinityConfig>

/** How Pods are reached. */
export const ServiceSpec = Struct(
  'core.v1.ServiceSpec',
  {
    ports: field(
      1,
      ListOf(ServicePort, {
        listType: 'map',
        listMapKeys: ['port', 'protocol'],
        patchStrategy: 'merge',
        patchMergeKey: 'port',
      }),
      'Ports of the Service.',
    ),
    selector: field(
      2,
      StringMap({ mapType: 'atomic' }),
      'Labels of the Pods behind it. Without any, the endpoints are managed externally.',
    ),
    clusterIP: field(
      3,
      Text(),
      'Address of the Service, chosen by the server if empty; None for a Service without one.',
    ),
    clusterIPs: field(
      18,
      AtomicList(Text()),
      'Addresses of the Service, at most one per IP family. The first is clusterIP.',
    ),
    type: field(4, Text({ enum: serviceTypes }), {
      description: 'ClusterIP (the default), NodePort, LoadBalancer or ExternalName.',
      default: 'ClusterIP',
    }),
    externalIPs: field(5, ListOf(Text()), 'Additional addresses on which nodes accept traffic for it.'),
    sessionAffinity: field(7, Text({ enum: affinities }), {
      description: 'ClientIP to route each client to the same Pod; None by default.',
      default: 'None',
    }),
    loadBalancerIP: field(8, Text(), 'Requested address of the load balancer.'),
    loadBalancerSourceRanges: field(9, ListOf(Text()), 'Ranges of addresses that may reach the load balancer.'),
    externalName: field(10, Text(), 'Name that the Service is an alias of, for type ExternalName.'),
    externalTrafficPolicy: field(
      11,
      Text(),
      'Whether nodes pass traffic from outside to Pods elsewhere: Cluster (the default) or Local.',
    ),
    healthCheckNodePort: field(12, Int32(), 'Port on which nodes report whether they have Pods of the Service.'),
    publishNotReadyAddresses: field(13, Bool(), 'Whether Pods that are not ready are among the endpoints.'),
    sessionAffinityConfig: kept(14, SessionAffinityConfig, 'Settings of session affinity.'),
    ipFamilies: field(19, AtomicList(Text()), 'IP families of the Service: IPv4, IPv6.'),
    ipFamilyPolicy: kept(17, Text(), 'SingleStack, PreferDualStack or RequireDualStack.'),
    allocateLoadBalancerNodePorts: kept(20, Bool(), 'Whether a load balancer gets node ports. True by default.'),
    loadBalancerClass: kept(21, Text(), 'Class of the load balancer that serves it. It cannot be changed.'),
    internalTrafficPolicy: kept(
      22,
      Text({ enum: trafficPolicies }),
      'Whether nodes pass traffic from inside to Pods elsewhere: Cluster or Local.',
    ),
    trafficDistribution: kept(23, Text(), {
      description: 'Which endpoints are preferred: PreferSameZone (also called PreferClose) or PreferSameNode.',
      since: '1.30',
      gate: 'ServiceTrafficDistribution',
    }),
  },
  { description: 'How Pods are reached.' },
)
export type ServiceSpec = Static<typeof ServiceSpec>

/** Where the Service can be reached. */
export const ServiceStatus = Struct(
  'core.v1.ServiceStatus',
  {
    loadBalancer: embedded(1, LoadBalancerStatus, 'Addresses of the load balancer.'),
    conditions: field(2, KeyedList(Condition, 'type'), 'Observed conditions.'),
  },
  { description: 'Where the Service can be reached.' },
)
export type ServiceStatus = Static<typeof ServiceStatus>

/** One name and address for a changing set of Pods. */
export const Service = Kind(
  'core.v1.Service',
  {
    spec: embedded(2, ServiceSpec, 'Desired state.'),
    status: embedded(3, ServiceStatus, 'Observed state. Written by the system.'),
  },
  { description: 'One name and address for a changing set of Pods.' },
)
export type Service = Static<typeof Service>
