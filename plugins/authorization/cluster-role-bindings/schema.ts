import { field, Kind, ListOf, needed, type Static } from 'orch/sdk'
import { RoleRef, Subject } from '../rules/schema.js'

export const ClusterRoleBinding = Kind('rbac.v1.ClusterRoleBinding', {
  subjects: field(2, ListOf(Subject)),
  roleRef: needed(3, RoleRef),
})
export type ClusterRoleBinding = Static<typeof ClusterRoleBinding>
