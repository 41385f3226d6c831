import { embedded, Flag, field, Kind, kept, ListOf, type Static, Struct, Taint, Text } from 'orch/sdk'
import { NodeConfigSource, NodeStatus } from './node-status-schema.js'

export const NodeSpec = Struct('core.v1.NodeSpec', {
  podCIDR: field(1, Text()),
  podCIDRs: field(7, ListOf(Text(), { patchStrategy: 'merge' })),
  providerID: field(3, Text()),
  unschedulable: field(4, Flag()),
  taints: field(5, ListOf(Taint)),
  configSource: kept(6, NodeConfigSource),
  externalID: field(2, Text()),
})
export type NodeSpec = Static<typeof NodeSpec>

export const Node = Kind('core.v1.Node', {
  spec: embedded(2, NodeSpec),
  status: embedded(3, NodeStatus),
})
export type Node = Static<typeof Node>
