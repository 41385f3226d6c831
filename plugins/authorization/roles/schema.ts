import { embedded, Kind, ListOf, type Static } from 'orch/sdk'
import { PolicyRule } from '../rules/schema.js'

export const Role = Kind(
  'rbac.v1.Role',
  {
    rules: embedded(2, ListOf(PolicyRule), 'What is allowed.'),
  },
  { description: 'Permissions in one namespace.' },
)
export type Role = Static<typeof Role>
