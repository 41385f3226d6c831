import { embedded, field, Kind, kept, LabelSelector, ListOf, type Static, Struct } from 'orch/sdk'
import { PolicyRule } from '../rules/schema.js'

export const AggregationRule = Struct(
  'rbac.v1.AggregationRule',
  {
    clusterRoleSelectors: field(
      1,
      ListOf(LabelSelector),
      'Labels of the cluster roles whose rules are added up. A role that matches any of them counts.',
    ),
  },
  { description: 'Which other cluster roles a role is made of.' },
)
export type AggregationRule = Static<typeof AggregationRule>

export const ClusterRole = Kind(
  'rbac.v1.ClusterRole',
  {
    rules: embedded(2, ListOf(PolicyRule), 'What is allowed.'),
    aggregationRule: kept(
      3,
      AggregationRule,
      'Other cluster roles from which the rules are filled in. What is written into rules by hand is overwritten then.',
    ),
  },
  { description: 'Permissions that hold cluster-wide, or in a namespace when a role binding names the role.' },
)
export type ClusterRole = Static<typeof ClusterRole>
