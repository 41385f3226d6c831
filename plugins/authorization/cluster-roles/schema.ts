import { embedded, field, Kind, kept, LabelSelector, ListOf, type Static, Struct } from 'orch/sdk'
import { PolicyRule } from '../rules/schema.js'

export const AggregationRule = Struct('rbac.v1.AggregationRule', {
  clusterRoleSelectors: field(1, ListOf(LabelSelector)),
})
export type AggregationRule = Static<typeof AggregationRule>

export const ClusterRole = Kind('rbac.v1.ClusterRole', {
  rules: embedded(2, ListOf(PolicyRule)),
  aggregationRule: kept(3, AggregationRule),
})
export type ClusterRole = Static<typeof ClusterRole>
