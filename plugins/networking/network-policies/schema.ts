import {
  embedded,
  field,
  Int32,
  IntOrString,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  needed,
  type ObjectOf,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'

export const NetworkPolicyPort = Struct('networking.v1.NetworkPolicyPort', {
  protocol: kept(1, Text(), { default: 'TCP' }),
  port: kept(2, IntOrString()),
  endPort: kept(3, Int32()),
})
export type NetworkPolicyPort = Static<typeof NetworkPolicyPort>

export const IPBlock = Struct('networking.v1.IPBlock', {
  cidr: needed(1, Text()),
  except: field(2, ListOf(Text())),
})
export type IPBlock = Static<typeof IPBlock>

export const NetworkPolicyPeer = Struct('networking.v1.NetworkPolicyPeer', {
  podSelector: kept(1, LabelSelector),
  namespaceSelector: kept(2, LabelSelector),
  ipBlock: kept(3, IPBlock),
})
export type NetworkPolicyPeer = Static<typeof NetworkPolicyPeer>

export const NetworkPolicyIngressRule = Struct('networking.v1.NetworkPolicyIngressRule', {
  ports: field(1, ListOf(NetworkPolicyPort)),
  from: field(2, ListOf(NetworkPolicyPeer)),
})
export type NetworkPolicyIngressRule = Static<typeof NetworkPolicyIngressRule>

export const NetworkPolicyEgressRule = Struct('networking.v1.NetworkPolicyEgressRule', {
  ports: field(1, ListOf(NetworkPolicyPort)),
  to: field(2, ListOf(NetworkPolicyPeer)),
})
export type NetworkPolicyEgressRule = Static<typeof NetworkPolicyEgressRule>

export const NetworkPolicySpec = Struct('networking.v1.NetworkPolicySpec', {
  podSelector: needed(1, LabelSelector),
  ingress: field(2, ListOf(NetworkPolicyIngressRule)),
  egress: field(3, ListOf(NetworkPolicyEgressRule)),
  policyTypes: field(4, ListOf(Text())),
})
export type NetworkPolicySpec = Static<typeof NetworkPolicySpec>

export const NetworkPolicy = Kind('networking.v1.NetworkPolicy', {
  spec: embedded(2, NetworkPolicySpec),
})
export type NetworkPolicy = ObjectOf<typeof NetworkPolicy>
