import { field, Kind, ListOf, required, type Static } from 'orch/sdk'
import { RoleRef, Subject } from '../rules/schema.js'

export const ClusterRoleBinding = Kind(
  'rbac.v1.ClusterRoleBinding',
  {
    subjects: field(2, ListOf(Subject), 'Who gets the permissions.'),
    roleRef: required(3, RoleRef, 'The cluster role. It cannot be changed; delete the binding and make another.'),
  },
  { description: 'Gives the permissions of a cluster role to subjects, in all namespaces.' },
)
export type ClusterRoleBinding = Static<typeof ClusterRoleBinding>
