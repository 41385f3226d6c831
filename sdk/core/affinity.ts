import { LabelSelector } from '../meta.js'
import { field, Int32, kept, ListOf, needed, type Static, Struct, Text } from '../schema.js'
import { NodeSelector, NodeSelectorTerm } from './node-selector.js'

/** A node term that attracts with the given weight. */
export const PreferredSchedulingTerm = Struct('core.v1.PreferredSchedulingTerm', {
  weight: needed(1, Int32()),
  preference: needed(2, NodeSelectorTerm),
})
export type PreferredSchedulingTerm = Static<typeof PreferredSchedulingTerm>

/** Which nodes a Pod must or would like to run on. */
export const NodeAffinity = Struct('core.v1.NodeAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: kept(1, NodeSelector),
  preferredDuringSchedulingIgnoredDuringExecution: field(2, ListOf(PreferredSchedulingTerm)),
})
export type NodeAffinity = Static<typeof NodeAffinity>

/** The Pods, and the topology, that a Pod wants to be near to or away from. */
export const PodAffinityTerm = Struct('core.v1.PodAffinityTerm', {
  labelSelector: kept(1, LabelSelector),
  namespaces: field(2, ListOf(Text())),
  topologyKey: needed(3, Text()),
  namespaceSelector: kept(4, LabelSelector),
})
export type PodAffinityTerm = Static<typeof PodAffinityTerm>

/** A Pod affinity term that counts with the given weight. */
export const WeightedPodAffinityTerm = Struct('core.v1.WeightedPodAffinityTerm', {
  weight: needed(1, Int32()),
  podAffinityTerm: needed(2, PodAffinityTerm),
})
export type WeightedPodAffinityTerm = Static<typeof WeightedPodAffinityTerm>

/** Which Pods a Pod must or would like to be near. */
export const PodAffinity = Struct('core.v1.PodAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: field(1, ListOf(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: field(2, ListOf(WeightedPodAffinityTerm)),
})
export type PodAffinity = Static<typeof PodAffinity>

/** Which Pods a Pod must or would like to avoid. */
export const PodAntiAffinity = Struct('core.v1.PodAntiAffinity', {
  requiredDuringSchedulingIgnoredDuringExecution: field(1, ListOf(PodAffinityTerm)),
  preferredDuringSchedulingIgnoredDuringExecution: field(2, ListOf(WeightedPodAffinityTerm)),
})
export type PodAntiAffinity = Static<typeof PodAntiAffinity>

/** All affinity rules of a Pod. */
export const Affinity = Struct('core.v1.Affinity', {
  nodeAffinity: kept(1, NodeAffinity),
  podAffinity: kept(2, PodAffinity),
  podAntiAffinity: kept(3, PodAntiAffinity),
})
export type Affinity = Static<typeof Affinity>

/** How matching Pods spread over a topology. */
export const TopologySpreadConstraint = Struct('core.v1.TopologySpreadConstraint', {
  maxSkew: needed(1, Int32()),
  topologyKey: needed(2, Text()),
  whenUnsatisfiable: needed(3, Text()),
  labelSelector: kept(4, LabelSelector),
})
export type TopologySpreadConstraint = Static<typeof TopologySpreadConstraint>
