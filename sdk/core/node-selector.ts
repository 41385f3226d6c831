import { field, kept, ListOf, needed, type Static, Struct, Text } from '../schema.js'

/** A key, an operator and values that a node label or field must meet. */
export const NodeSelectorRequirement = Struct('core.v1.NodeSelectorRequirement', {
  key: needed(1, Text()),
  operator: needed(2, Text()),
  values: field(3, ListOf(Text())),
})
export type NodeSelectorRequirement = Static<typeof NodeSelectorRequirement>

/** Requirements that must all hold; an empty term matches nothing. */
export const NodeSelectorTerm = Struct(
  'core.v1.NodeSelectorTerm',
  {
    matchExpressions: field(1, ListOf(NodeSelectorRequirement)),
    matchFields: field(2, ListOf(NodeSelectorRequirement)),
  },
  { mapType: 'atomic' },
)
export type NodeSelectorTerm = Static<typeof NodeSelectorTerm>

/** Terms of which at least one must match. */
export const NodeSelector = Struct(
  'core.v1.NodeSelector',
  {
    nodeSelectorTerms: needed(1, ListOf(NodeSelectorTerm)),
  },
  { mapType: 'atomic' },
)
export type NodeSelector = Static<typeof NodeSelector>

/** Which nodes can reach a volume. */
export const VolumeNodeAffinity = Struct('core.v1.VolumeNodeAffinity', {
  required: kept(1, NodeSelector),
})
export type VolumeNodeAffinity = Static<typeof VolumeNodeAffinity>

/** A topology key and the values allowed for it. */
export const TopologySelectorLabelRequirement = Struct('core.v1.TopologySelectorLabelRequirement', {
  key: needed(1, Text()),
  values: needed(2, ListOf(Text())),
})
export type TopologySelectorLabelRequirement = Static<typeof TopologySelectorLabelRequirement>

/** Topology requirements that must all hold. */
export const TopologySelectorTerm = Struct(
  'core.v1.TopologySelectorTerm',
  {
    matchLabelExpressions: field(1, ListOf(TopologySelectorLabelRequirement)),
  },
  { mapType: 'atomic' },
)
export type TopologySelectorTerm = Static<typeof TopologySelectorTerm>
