import { field, kept, ListOf, required, type Static, Struct, Text } from '../resource/schema.js'

/** A key, an operator and values that a node label or field must meet. */
export const NodeSelectorRequirement = Struct(
  'core.v1.NodeSelectorRequirement',
  {
    key: required(1, Text(), 'The label or field.'),
    operator: required(2, Text(), 'In, NotIn, Exists, DoesNotExist, Gt or Lt.'),
    values: field(3, ListOf(Text()), 'Values for In and NotIn; one number for Gt and Lt; none otherwise.'),
  },
  { description: 'A condition on nodes.' },
)
export type NodeSelectorRequirement = Static<typeof NodeSelectorRequirement>

/** Requirements that must all hold; an empty term matches nothing. */
export const NodeSelectorTerm = Struct(
  'core.v1.NodeSelectorTerm',
  {
    matchExpressions: field(1, ListOf(NodeSelectorRequirement), 'Conditions on labels.'),
    matchFields: field(2, ListOf(NodeSelectorRequirement), 'Conditions on fields.'),
  },
  { description: 'Conditions on nodes; all must hold.', mapType: 'atomic' },
)
export type NodeSelectorTerm = Static<typeof NodeSelectorTerm>

/** Terms of which at least one must match. */
export const NodeSelector = Struct(
  'core.v1.NodeSelector',
  {
    nodeSelectorTerms: required(1, ListOf(NodeSelectorTerm), 'The terms.'),
  },
  { description: 'Which nodes; one of the terms must hold.', mapType: 'atomic' },
)
export type NodeSelector = Static<typeof NodeSelector>

/** Which nodes can reach a volume. */
export const VolumeNodeAffinity = Struct(
  'core.v1.VolumeNodeAffinity',
  {
    required: kept(1, NodeSelector, 'Conditions that the nodes must meet.'),
  },
  { description: 'From which nodes a volume can be reached.' },
)
export type VolumeNodeAffinity = Static<typeof VolumeNodeAffinity>

/** A topology key and the values allowed for it. */
export const TopologySelectorLabelRequirement = Struct(
  'core.v1.TopologySelectorLabelRequirement',
  {
    key: required(1, Text(), 'The label.'),
    values: required(2, ListOf(Text()), 'Values, one of which it must have.'),
  },
  { description: 'A condition on a label.' },
)
export type TopologySelectorLabelRequirement = Static<typeof TopologySelectorLabelRequirement>

/** Topology requirements that must all hold. */
export const TopologySelectorTerm = Struct(
  'core.v1.TopologySelectorTerm',
  {
    matchLabelExpressions: field(1, ListOf(TopologySelectorLabelRequirement), 'The conditions.'),
  },
  { description: 'Conditions on labels; all must hold.', mapType: 'atomic' },
)
export type TopologySelectorTerm = Static<typeof TopologySelectorTerm>
