import { field, Kind, ListOf, needed, type Static } from 'orch/sdk'
import { RoleRef, Subject } from '../rules/schema.js'

export const RoleBinding = Kind('rbac.v1.RoleBinding', {
  subjects: field(2, ListOf(Subject)),
  roleRef: needed(3, RoleRef),
})
export type RoleBinding = Static<typeof RoleBinding>
