import {
  defineResource,
  defineVirtual,
  field,
  jsonOnly,
  Kind,
  ListOf,
  MapOf,
  Quantity,
  required,
  Struct,
  services,
  Text,
  Time,
  timestampOf,
} from 'orch/sdk'
import { podCollection } from 'orch/sdk/controllers'
import { isSimulated, nodeCollection, type SimulationNames } from '../names.js'
import type { SimulatedNode } from '../nodes/node-objects.js'
import type { Rule } from '../running/behavior.js'
import type { StoredPod } from '../running/container-facts.js'
import { behaviorOrNone } from '../running/find-behavior.js'
import { sumUsage, usageOf } from './usage.js'

/** The measurement window that a real agent would report. */
const window = '30s'

const measured = {
  timestamp: required(2, Time(), 'Time of measurement: now, since it is simulated.'),
  window: jsonOnly(Text(), 'Duration of the measurement.'),
}
const usageOfResources = () => MapOf(Quantity())
const NodeMetrics = Kind(
  'metrics.v1beta1.NodeMetrics',
  { ...measured, usage: field(4, usageOfResources(), 'Usage of the Pods on the node, by resource.') },
  { description: 'Resource usage of a simulated node, by the rules of its Pods.' },
)
const ContainerMetrics = Struct(
  'metrics.v1beta1.ContainerMetrics',
  {
    name: required(1, Text(), 'The container.'),
    usage: field(2, usageOfResources(), 'Usage by resource.'),
  },
  { description: 'Resource usage of a container.' },
)
const PodMetrics = Kind(
  'metrics.v1beta1.PodMetrics',
  { ...measured, containers: field(4, ListOf(ContainerMetrics), 'Usage of its running containers.') },
  { description: 'Resource usage of a Pod on a simulated node, by its rule.' },
)

const needs = { reader: services.reader, clock: services.clock }
const shared = { verbs: ['get', 'list'] as const }

/** Resource usage of simulated nodes and of the Pods on them, as a metrics server would report it. */
export function metricsResources(names: SimulationNames, rules: readonly Rule[]) {
  const behaviorFor = (pod: StoredPod) => behaviorOrNone(pod, rules, names.behaviorAnnotation)
  const now = (clock: { now(): number }) => ({ timestamp: timestampOf(clock.now()), window })
  const nodeMetrics = defineResource({
    ...shared,
    group: names.metricsGroup,
    kind: 'NodeMetrics',
    resource: 'nodes',
    namespaced: false,
    versions: [{ name: 'v1beta1', schema: NodeMetrics }],
    virtual: defineVirtual({
      needs,
      async list({ reader, clock }, asked) {
        const usages = new Map<string, ReturnType<typeof usageOf>[number]['usage'][]>()
        for (const pod of await reader.list<StoredPod>(podCollection)) {
          const { nodeName = '' } = pod.spec
          if (nodeName === '' || (asked.name !== '' && nodeName !== asked.name)) continue
          const known = usages.get(nodeName) ?? []
          usages.set(nodeName, known)
          for (const { usage } of usageOf(pod, behaviorFor(pod))) known.push(usage)
        }
        const found = []
        for (const node of await reader.list<SimulatedNode>(nodeCollection)) {
          if (!isSimulated(node, names)) continue
          const { name = '', labels, creationTimestamp } = node.metadata
          const metadata = { name, labels, creationTimestamp }
          found.push({ metadata, ...now(clock), usage: sumUsage(usages.get(name) ?? []) })
        }
        return found
      },
    }),
  })
  const podMetrics = defineResource({
    ...shared,
    group: names.metricsGroup,
    kind: 'PodMetrics',
    resource: 'pods',
    namespaced: true,
    versions: [{ name: 'v1beta1', schema: PodMetrics }],
    virtual: defineVirtual({
      needs,
      async list({ reader, clock }, asked) {
        const simulated = new Set<string>()
        for (const node of await reader.list<SimulatedNode>(nodeCollection))
          if (isSimulated(node, names)) simulated.add(node.metadata.name ?? '')
        const found = []
        for (const pod of await reader.list<StoredPod>(podCollection, asked.namespace)) {
          if (!simulated.has(pod.spec.nodeName ?? '') || (asked.name !== '' && pod.metadata.name !== asked.name))
            continue
          const containers = usageOf(pod, behaviorFor(pod))
          const { name, namespace, labels, creationTimestamp } = pod.metadata
          // Pods without running containers have no metrics.
          if (containers.length > 0)
            found.push({ metadata: { name, namespace, labels, creationTimestamp }, ...now(clock), containers })
        }
        return found
      },
    }),
  })
  return [nodeMetrics, podMetrics]
}
