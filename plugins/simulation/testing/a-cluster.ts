import type { ApiObject } from 'orch/sdk'
import type { Pod, Taint } from 'orch/sdk/core'
import type { SimulatedNode } from '../nodes/node-objects.js'
import { NodeChooser } from '../scheduling/choose-node.js'
import { Cluster } from '../scheduling/cluster.js'
import { noVolumes, type VolumeNeeds } from '../scheduling/filters.js'
import { factsOf, type PodFacts } from '../scheduling/pod-facts.js'
import { findPreemption } from '../scheduling/preemption.js'
import { TopologyTerms } from '../scheduling/topology-terms.js'

export type Spec = Partial<Pod['spec']>
const namespaces: Record<string, Record<string, string>> = { town: { size: 'small' }, city: { size: 'large' } }
export const hostname = 'acme.test/hostname'
export const closed = 'node.acme.test/unschedulable'

/** A cluster in which Pods can be placed. */
export function aCluster(...nodes: SimulatedNode[]) {
  const cluster = new Cluster()
  const chooser = new NodeChooser(cluster, closed)
  const terms = new TopologyTerms(namespace => namespaces[namespace] ?? {})
  for (const node of nodes) cluster.setNode(node)
  const facts = (name: string, spec: Spec = {}, metadata: ApiObject['metadata'] = {}): PodFacts =>
    factsOf(
      {
        metadata: { name, namespace: 'town', ...metadata },
        spec: { containers: [{ name: 'main' }], ...spec } as Pod['spec'],
      },
      terms,
      hostname,
    )
  const choose = (pod: PodFacts, volumes: VolumeNeeds = noVolumes) => {
    const choice = chooser.choose(pod, volumes)
    return 'node' in choice ? choice.node.name : choice.message
  }
  return {
    cluster,
    facts,
    choose,
    preemption(pod: PodFacts) {
      const choice = chooser.choose(pod, noVolumes)
      return 'node' in choice ? undefined : findPreemption(choice.placement, choice.refusals)
    },
    /** Puts a Pod on the node that is chosen. */
    put(name: string, spec: Spec = {}, metadata: ApiObject['metadata'] = {}): string {
      const pod = facts(name, spec, metadata)
      const place = choose(pod)
      if (cluster.find(place)) cluster.place(pod, place)
      return place
    },
  }
}
export const aNode = (
  name: string,
  more: Record<string, string> = {},
  allocatable: Record<string, string> = {},
  taints: Taint[] = [],
) =>
  ({
    metadata: { name, labels: { [hostname]: name, ...more } },
    spec: { taints },
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110', ...allocatable } },
  }) as SimulatedNode
export const asking = (cpu: string, memory = '0'): Spec =>
  ({ containers: [{ name: 'main', resources: { requests: { cpu, memory } } }] }) as Spec
export const required = (key: string, operator: string, ...values: string[]): Spec => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
      },
    },
  },
})
export const beside = (
  kind: 'podAffinity' | 'podAntiAffinity',
  app: string,
  topologyKey = hostname,
  more = {},
): Spec => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app } }, topologyKey, ...more },
      ],
    },
  },
})
export const app = (name: string, more: ApiObject['metadata'] = {}) => ({ labels: { app: name }, ...more })
