import type { ApiObject } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import type { NodeCondition, NodeState } from 'orch/sdk/core'
import type { SimulationNames } from '../names.js'
import type { NodeGroup, SimulationOptions } from '../options.js'

/** The parts of a Node that a simulation reads and writes. */
export interface SimulatedNode extends ApiObject, NodeState {
  status?: NodeState['status'] & {
    capacity?: Record<string, string>
    allocatable?: Record<string, string>
    addresses?: { type: string; address: string }[]
    nodeInfo?: Record<string, string>
  }
}

/** The nodes of the options: those of each group, numbered from 1. */
export function configuredNodes(options: SimulationOptions, names: SimulationNames): SimulatedNode[] {
  const groups: NodeGroup[] = [{ name: 'node', count: options.simulateNodes }, ...options.simulatedNodeGroups]
  let index = 0
  return groups.flatMap(group =>
    Array.from({ length: group.count }, (_, i) => nodeOf(group, i, index++, options.simulatedNodeCapacity, names)),
  )
}

function nodeOf(
  group: NodeGroup,
  position: number,
  index: number,
  usual: Readonly<Record<string, string>>,
  names: SimulationNames,
): SimulatedNode {
  const name = `${group.name}-${position + 1}`
  const { labels } = names
  const zone = group.zones?.[position % group.zones.length]
  return {
    metadata: {
      name,
      annotations: { [names.nodeAnnotation]: 'true' },
      labels: {
        [labels.hostname]: name,
        [labels.os]: 'linux',
        [labels.arch]: 'amd64',
        ...(zone ? { [labels.zone]: zone, [labels.region]: 'simulated' } : {}),
        ...group.labels,
      },
    },
    spec: { ...(group.taints?.length ? { taints: group.taints } : {}) },
    status: {
      capacity: { ...usual, ...group.capacity },
      addresses: [
        { type: 'InternalIP', address: machineAddress(index) },
        { type: 'Hostname', address: name },
      ],
    },
  }
}

/** Machines have the addresses of 172.16.0.0/12. */
const machineAddress = (index: number): string =>
  [172, 16 + ((index + 1) >> 16), ((index + 1) >> 8) & 255, (index + 1) & 255].join('.')

/** The status that the agent of a healthy machine reports at startup; existing values are kept. */
export function healthyStatus(node: SimulatedNode, names: SimulationNames, now: number) {
  const { capacity = {}, allocatable, addresses } = node.status ?? {}
  return {
    capacity,
    allocatable: allocatable && Object.keys(allocatable).length > 0 ? allocatable : capacity,
    addresses: addresses?.length ? addresses : [{ type: 'Hostname', address: node.metadata.name ?? '' }],
    conditions: healthyConditions(node, names, now),
    nodeInfo: {
      machineID: node.metadata.name ?? '',
      systemUUID: node.metadata.name ?? '',
      bootID: node.metadata.name ?? '',
      kernelVersion: 'simulated',
      osImage: 'simulated',
      containerRuntimeVersion: 'simulated://1.0',
      kubeletVersion: names.agentVersion,
      kubeProxyVersion: names.agentVersion,
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  }
}

/** Reasons begin with the name of the agent. */
const healthy: readonly NodeCondition[] = [
  { type: 'MemoryPressure', status: 'False', reason: 'HasSufficientMemory' },
  { type: 'DiskPressure', status: 'False', reason: 'HasNoDiskPressure' },
  { type: 'PIDPressure', status: 'False', reason: 'HasSufficientPID' },
  {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: 'the simulated node agent is posting ready status',
  },
]

/** Whether the node controller set the condition because no reports came: this server, and its nodes with it, was suspended. */
export const isUnreported = ({ reason }: NodeCondition): boolean =>
  reason === 'NodeStatusUnknown' || reason === 'NodeStatusNeverUpdated'

/** The conditions of a healthy machine. Conditions that a user set for a test stay unchanged. */
export function healthyConditions(
  { status }: SimulatedNode,
  { agentName }: SimulationNames,
  now: number,
): NodeCondition[] {
  const agent = agentName.charAt(0).toUpperCase() + agentName.slice(1)
  const before = status?.conditions ?? []
  const beat = timestampOf(now)
  const own = healthy.map(condition => {
    const known = before.find(one => one.type === condition.type && !isUnreported(one))
    const reason = `${agent}${condition.reason}`
    return { lastTransitionTime: beat, ...condition, reason, ...known, lastHeartbeatTime: beat }
  })
  return [...before.filter(({ type }) => !healthy.some(one => one.type === type)), ...own]
}
