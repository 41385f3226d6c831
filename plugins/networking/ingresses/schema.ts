import {
  AtomicList,
  embedded,
  field,
  Int32,
  inlined,
  Kind,
  kept,
  LoadBalancerStatus,
  needed,
  type ObjectOf,
  type Static,
  Struct,
  Text,
  TypedLocalObjectReference,
} from 'orch/sdk'

export const ServiceBackendPort = Struct('networking.v1.ServiceBackendPort', {
  name: field(1, Text()),
  number: field(2, Int32()),
})
export type ServiceBackendPort = Static<typeof ServiceBackendPort>

export const IngressServiceBackend = Struct('networking.v1.IngressServiceBackend', {
  name: needed(1, Text()),
  port: embedded(2, ServiceBackendPort),
})
export type IngressServiceBackend = Static<typeof IngressServiceBackend>

export const IngressBackend = Struct('networking.v1.IngressBackend', {
  service: kept(4, IngressServiceBackend),
  resource: kept(3, TypedLocalObjectReference),
})
export type IngressBackend = Static<typeof IngressBackend>

export const HTTPIngressPath = Struct('networking.v1.HTTPIngressPath', {
  path: field(1, Text()),
  pathType: needed(3, Text(), { nullable: true }),
  backend: needed(2, IngressBackend),
})
export type HTTPIngressPath = Static<typeof HTTPIngressPath>

export const HTTPIngressRuleValue = Struct('networking.v1.HTTPIngressRuleValue', {
  paths: needed(1, AtomicList(HTTPIngressPath)),
})
export type HTTPIngressRuleValue = Static<typeof HTTPIngressRuleValue>

export const IngressRuleValue = Struct('networking.v1.IngressRuleValue', {
  http: kept(1, HTTPIngressRuleValue),
})
export type IngressRuleValue = Static<typeof IngressRuleValue>

export const IngressRule = Struct('networking.v1.IngressRule', {
  host: field(1, Text()),
  ...inlined(2, IngressRuleValue),
})
export type IngressRule = Static<typeof IngressRule>

export const IngressTLS = Struct('networking.v1.IngressTLS', {
  hosts: field(1, AtomicList(Text())),
  secretName: field(2, Text()),
})
export type IngressTLS = Static<typeof IngressTLS>

export const IngressSpec = Struct('networking.v1.IngressSpec', {
  ingressClassName: kept(4, Text()),
  defaultBackend: kept(1, IngressBackend),
  tls: field(2, AtomicList(IngressTLS)),
  rules: field(3, AtomicList(IngressRule)),
})
export type IngressSpec = Static<typeof IngressSpec>

export const IngressStatus = Struct('networking.v1.IngressStatus', {
  loadBalancer: embedded(1, LoadBalancerStatus),
})
export type IngressStatus = Static<typeof IngressStatus>

export const Ingress = Kind('networking.v1.Ingress', {
  spec: embedded(2, IngressSpec),
  status: embedded(3, IngressStatus),
})
export type Ingress = ObjectOf<typeof Ingress>
