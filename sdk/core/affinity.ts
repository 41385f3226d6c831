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
      'Nodes that the Pod must run on. What changes later is ignored.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      ListOf(PreferredSchedulingTerm),
      'Nodes that the Pod would rather run on.',
    ),
  },
  { description: 'Which nodes a Pod wants.' },
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
    topologyKey: required(3, Text(), 'Label of nodes whose equal values mean near.'),
    namespaceSelector: kept(4, LabelSelector, 'Labels of the namespaces of the Pods. An empty selector means all.'),
    matchLabelKeys: field(5, ListOf(Text(), { listType: 'atomic' }), {
      description:
        'Labels of which the Pods must have the same value as this one. The server adds them to labelSelector.',
      since: '1.29',
      gate: 'MatchLabelKeysInPodAffinity',
    }),
    mismatchLabelKeys: field(6, ListOf(Text(), { listType: 'atomic' }), {
      description:
        'Labels of which the Pods must have another value than this one. The server adds them to labelSelector.',
      since: '1.29',
      gate: 'MatchLabelKeysInPodAffinity',
    }),
  },
  { description: 'Pods, and how near to them.' },
)
export type PodAffinityTerm = Static<typeof PodAffinityTerm>

/** A Pod affinity term that counts with the given weight. */
export const WeightedPodAffinityTerm = Struct(
  'core.v1.WeightedPodAffinityTerm',
  {
    weight: required(1, Int32({ minimum: 1, maximum: 100 }), 'How much it matters: 1 to 100.'),
    podAffinityTerm: required(2, PodAffinityTerm, 'The Pods, and how near.'),
  },
  { description: 'Pods to be near to or away from, and how much that matters.' },
)
export type WeightedPodAffinityTerm = Static<typeof WeightedPodAffinityTerm>

/** Which Pods a Pod must or would like to be near. */
export const PodAffinity = Struct(
  'core.v1.PodAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(
      1,
      ListOf(PodAffinityTerm),
      'Pods that it must be near to. What changes later is ignored.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      ListOf(WeightedPodAffinityTerm),
      'Pods that it would rather be near to.',
    ),
  },
  { description: 'Which Pods a Pod wants to be near to.' },
)
export type PodAffinity = Static<typeof PodAffinity>

/** Which Pods a Pod must or would like to avoid. */
export const PodAntiAffinity = Struct(
  'core.v1.PodAntiAffinity',
  {
    requiredDuringSchedulingIgnoredDuringExecution: field(
      1,
      ListOf(PodAffinityTerm),
      'Pods that it must be away from. What changes later is ignored.',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: field(
      2,
      ListOf(WeightedPodAffinityTerm),
      'Pods that it would rather be away from.',
    ),
  },
  { description: 'Which Pods a Pod wants to be away from.' },
)
export type PodAntiAffinity = Static<typeof PodAntiAffinity>

/** All affinity rules of a Pod. */
export const Affinity = Struct(
  'core.v1.Affinity',
  {
    nodeAffinity: kept(1, NodeAffinity, 'On which nodes.'),
    podAffinity: kept(2, PodAffinity, 'Near to which Pods.'),
    podAntiAffinity: kept(3, PodAntiAffinity, 'Away from which Pods.'),
  },
  { description: 'Where a Pod wants to run.' },
)
export type Affinity = Static<typeof Affinity>

const reactions: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway']

/** How matching Pods spread over a topology. */
export const TopologySpreadConstraint = Struct(
  'core.v1.TopologySpreadConstraint',
  {
    maxSkew: required(1, Int32({ minimum: 1 }), 'How many Pods more one part may have than another. At least 1.'),
    topologyKey: required(2, Text(), 'Label of nodes whose values are the parts.'),
    whenUnsatisfiable: required(
      3,
      Text({ enum: reactions }),
      'What happens when it cannot be kept: DoNotSchedule or ScheduleAnyway.',
    ),
    labelSelector: kept(4, LabelSelector, 'Labels of the Pods that are counted.'),
    minDomains: kept(5, Int32(), {
      description: 'The fewest parts that count. As long as there are less, none is full. 1 by default.',
      since: '1.24',
      gate: 'MinDomainsInPodTopologySpread',
    }),
    nodeAffinityPolicy: kept(6, Text(), {
      description: 'Whether only nodes count that the Pod selects: Honor (the default) or Ignore.',
      since: '1.25',
      gate: 'NodeInclusionPolicyInPodTopologySpread',
    }),
    nodeTaintsPolicy: kept(7, Text(), {
      description:
        'Whether nodes count whose taints the Pod does not tolerate: Ignore (the default) counts them, Honor does not.',
      since: '1.25',
      gate: 'NodeInclusionPolicyInPodTopologySpread',
    }),
    matchLabelKeys: field(8, ListOf(Text(), { listType: 'atomic' }), {
      description: 'Labels of which the Pods that are counted must have the same value as this one.',
      since: '1.25',
      gate: 'MatchLabelKeysInPodTopologySpread',
    }),
  },
  { description: 'How Pods are spread over parts of the cluster.' },
)
export type TopologySpreadConstraint = Static<typeof TopologySpreadConstraint>
