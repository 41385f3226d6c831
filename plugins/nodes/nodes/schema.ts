import { Bool, embedded, field, Kind, kept, ListOf, type Static, Struct, Text } from 'orch/sdk'
import { Taint } from 'orch/sdk/core'
import { NodeConfigSource, NodeStatus } from './node-status-schema.js'

export const NodeSpec = Struct(
  'core.v1.NodeSpec',
  {
    podCIDR: field(1, Text(), 'Range of the addresses of its Pods.'),
    podCIDRs: field(
      7,
      ListOf(Text(), { patchStrategy: 'merge' }),
      'Ranges of the addresses of its Pods, at most one per IP family. The first is podCIDR.',
    ),
    providerID: field(3, Text(), 'Identifies the node at its provider.'),
    unschedulable: field(4, Bool(), 'Whether no new Pods are scheduled to it.'),
    taints: field(5, ListOf(Taint), 'Taints that Pods must tolerate to run on it.'),
    configSource: kept(6, NodeConfigSource, 'Where the settings of its agent come from. No longer used.'),
    externalID: field(2, Text(), 'No longer used.'),
  },
  { description: 'Desired state of a node.' },
)
export type NodeSpec = Static<typeof NodeSpec>

export const Node = Kind(
  'core.v1.Node',
  {
    spec: embedded(2, NodeSpec, 'Desired state.'),
    status: embedded(3, NodeStatus, 'Observed state. Written by the system.'),
  },
  { description: 'A machine that runs Pods.' },
)
export type Node = Static<typeof Node>
