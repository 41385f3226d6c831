import { field, Kind, ListOf, required, type Static } from 'orch/sdk'
import { RoleRef, Subject } from '../rules/schema.js'

export const RoleBinding = Kind(
  'rbac.v1.RoleBinding',
  {
    subjects: field(2, ListOf(Subject), 'Who gets the permissions.'),
    roleRef: required(
      3,
      RoleRef,
      'A role of the namespace, or a cluster role. It cannot be changed; delete the binding and make another.',
    ),
  },
  { description: 'Gives the permissions of a role to subjects, in one namespace.' },
)
export type RoleBinding = Static<typeof RoleBinding>
