import {
  AtomicList,
  Condition,
  embedded,
  Flag,
  field,
  Int32,
  IntOrString,
  Kind,
  kept,
  ListOf,
  LoadBalancerStatus,
  needed,
  type Static,
  StringMap,
  Struct,
  Text,
} from 'orch/sdk'

export const ServicePort = Struct('core.v1.ServicePort', {
  name: field(1, Text()),
  protocol: field(2, Text(), { default: 'TCP' }),
  appProtocol: kept(6, Text()),
  port: needed(3, Int32()),
  targetPort: embedded(4, IntOrString()),
  nodePort: field(5, Int32()),
})
export type ServicePort = Static<typeof ServicePort>

export const ClientIPConfig = Struct('core.v1.ClientIPConfig', {
  timeoutSeconds: kept(1, Int32()),
})
export type ClientIPConfig = Static<typeof ClientIPConfig>

export const SessionAffinityConfig = Struct('core.v1.SessionAffinityConfig', {
  clientIP: kept(1, ClientIPConfig),
})
export type SessionAffinityConfig = Static<typeof SessionAffinityConfig>

export const ServiceSpec = Struct('core.v1.ServiceSpec', {
  ports: field(
    1,
    ListOf(ServicePort, {
      listType: 'map',
      listMapKeys: ['port', 'protocol'],
      patchStrategy: 'merge',
      patchMergeKey: 'port',
    }),
  ),
  selector: field(2, StringMap({ mapType: 'atomic' })),
  clusterIP: field(3, Text()),
  clusterIPs: field(18, AtomicList(Text())),
  type: field(4, Text(), { default: 'ClusterIP' }),
  externalIPs: field(5, ListOf(Text())),
  sessionAffinity: field(7, Text(), { default: 'None' }),
  loadBalancerIP: field(8, Text()),
  loadBalancerSourceRanges: field(9, ListOf(Text())),
  externalName: field(10, Text()),
  externalTrafficPolicy: field(11, Text()),
  healthCheckNodePort: field(12, Int32()),
  publishNotReadyAddresses: field(13, Flag()),
  sessionAffinityConfig: kept(14, SessionAffinityConfig),
  ipFamilies: field(19, AtomicList(Text())),
  ipFamilyPolicy: kept(17, Text()),
  allocateLoadBalancerNodePorts: kept(20, Flag()),
  loadBalancerClass: kept(21, Text()),
  internalTrafficPolicy: kept(22, Text()),
})
export type ServiceSpec = Static<typeof ServiceSpec>

export const ServiceStatus = Struct('core.v1.ServiceStatus', {
  loadBalancer: embedded(1, LoadBalancerStatus),
  conditions: field(
    2,
    ListOf(Condition, { listType: 'map', listMapKeys: ['type'], patchStrategy: 'merge', patchMergeKey: 'type' }),
  ),
})
export type ServiceStatus = Static<typeof ServiceStatus>

export const Service = Kind('core.v1.Service', {
  spec: embedded(2, ServiceSpec),
  status: embedded(3, ServiceStatus),
})
export type Service = Static<typeof Service>
