import { LabelSelector } from '../resource/meta.js'
import { field, Int32, kept, ListOf, required, type Static, Struct, Text } from '../resource/schema.js'
import { NodeSelector, NodeSelectorTerm } from './node-selector.js'

/** A node term that attracts with the given weight. */
export const PreferredSchedulingTerm = Struct(
  'core.v1.PreferredSchedulingTerm',
  {
    weight: required(1, Int32({ minimum: 1, maximum: 100 }), 'How much they are preferred: 1 to 100.'),
    preference: required(2, NodeSelectorTerm, 'Which nodes.'),
  },
  { description: 'Nodes that are preferred, and how much.' },
)
export type PreferredSchedulingTerm = Static<typeof PreferredSchedulingTerm>

/** Which nodes a Pod must or would like to run on. */
export const NodeAffinity = Struct(
  'core.v1.NodeAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: kept(
      1,
      NodeSelector,
      'Nodes that the Pod must run on. Later changes of the node are ignored.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      ListOf(PreferredSchedulingTerm),
      'Nodes that the Pod prefers.',
    ),
  },
  { description: 'Affinity of a Pod for nodes.' },
)
export type NodeAffinity = Static<typeof NodeAffinity>

/** The Pods, and the topology, that a Pod wants to be near to or away from. */
export const PodAffinityTerm = Struct(
  'core.v1.PodAffinityTerm',
  {
    labelSelector: kept(1, LabelSelector, 'Labels of the Pods.'),
    namespaces: field(
      2,
      ListOf(Text()),
      "Namespaces of the Pods. The Pod's own if there is no namespaceSelector either.",
    ),
    topologyKey: required(
      3,
      Text(),
      'Node label that defines the topology: nodes with the same value are in the same domain.',
    ),
    namespaceSelector: kept(4, LabelSelector, 'Labels of the namespaces of the Pods. An empty selector means all.'),
    matchLabelKeys: field(5, ListOf(Text(), { listType: 'atomic' }), {
      description:
        'Label keys for which the Pods must have the same value as this Pod. The server adds them to labelSelector.',
      since: '1.29',
      gate: 'MatchLabelKeysInPodAffinity',
    }),
    mismatchLabelKeys: field(6, ListOf(Text(), { listType: 'atomic' }), {
      description:
        'Label keys for which the Pods must have a different value from this Pod. The server adds them to labelSelector.',
      since: '1.29',
      gate: 'MatchLabelKeysInPodAffinity',
    }),
  },
  { description: 'A set of Pods and the topology in which they are counted.' },
)
export type PodAffinityTerm = Static<typeof PodAffinityTerm>

/** A Pod affinity term that counts with the given weight. */
export const WeightedPodAffinityTerm = Struct(
  'core.v1.WeightedPodAffinityTerm',
  {
    weight: required(1, Int32({ minimum: 1, maximum: 100 }), 'Weight of the term: 1 to 100.'),
    podAffinityTerm: required(2, PodAffinityTerm, 'The Pods and the topology.'),
  },
  { description: 'A Pod affinity term and its weight.' },
)
export type WeightedPodAffinityTerm = Static<typeof WeightedPodAffinityTerm>

/** Which Pods a Pod must or would like to be near. */
export const PodAffinity = Struct(
  'core.v1.PodAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(
      1,
      ListOf(PodAffinityTerm),
      'Pods that it must run near. Later changes of their labels are ignored.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      ListOf(WeightedPodAffinityTerm),
      'Pods that it prefers to run near.',
    ),
  },
  { description: 'Affinity of a Pod for other Pods.' },
)
export type PodAffinity = Static<typeof PodAffinity>

/** Which Pods a Pod must or would like to avoid. */
export const PodAntiAffinity = Struct(
  'core.v1.PodAntiAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(
      1,
      ListOf(PodAffinityTerm),
      'Pods that it must not run near. Later changes of their labels are ignored.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      ListOf(WeightedPodAffinityTerm),
      'Pods that it prefers not to run near.',
    ),
  },
  { description: 'Anti-affinity of a Pod for other Pods.' },
)
export type PodAntiAffinity = Static<typeof PodAntiAffinity>

/** All affinity rules of a Pod. */
export const Affinity = Struct(
  'core.v1.Affinity',
  {
    nodeAffinity: kept(1, NodeAffinity, 'Affinity for nodes.'),
    podAffinity: kept(2, PodAffinity, 'Affinity for other Pods.'),
    podAntiAffinity: kept(3, PodAntiAffinity, 'Anti-affinity for other Pods.'),
  },
  { description: 'Scheduling affinity of a Pod.' },
)
export type Affinity = Static<typeof Affinity>

const reactions: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway']

/** How matching Pods spread over a topology. */
export const TopologySpreadConstraint = Struct(
  'core.v1.TopologySpreadConstraint',
  {
    maxSkew: required(1, Int32({ minimum: 1 }), 'By how many Pods the domains may differ. At least 1.'),
    topologyKey: required(2, Text(), 'Node label whose values are the domains.'),
    whenUnsatisfiable: required(
      3,
      Text({ enum: reactions }),
      'What happens if the constraint cannot be satisfied: DoNotSchedule or ScheduleAnyway.',
    ),
    labelSelector: kept(4, LabelSelector, 'Labels of the Pods that are counted.'),
    minDomains: kept(5, Int32(), {
      description:
        'Minimum number of domains. With fewer domains, the minimum count of Pods is taken as 0. 1 by default.',
      since: '1.24',
      gate: 'MinDomainsInPodTopologySpread',
    }),
    nodeAffinityPolicy: kept(6, Text(), {
      description: 'Whether only nodes selected by the Pod are counted: Honor (the default) or Ignore.',
      since: '1.25',
      gate: 'NodeInclusionPolicyInPodTopologySpread',
    }),
    nodeTaintsPolicy: kept(7, Text(), {
      description:
        'Whether nodes with taints that the Pod does not tolerate are counted: Ignore (the default) counts them, Honor does not.',
      since: '1.25',
      gate: 'NodeInclusionPolicyInPodTopologySpread',
    }),
    matchLabelKeys: field(8, ListOf(Text(), { listType: 'atomic' }), {
      description: 'Label keys for which the counted Pods must have the same value as this Pod.',
      since: '1.25',
      gate: 'MatchLabelKeysInPodTopologySpread',
    }),
  },
  { description: 'How Pods are spread over topology domains.' },
)
export type TopologySpreadConstraint = Static<typeof TopologySpreadConstraint>
