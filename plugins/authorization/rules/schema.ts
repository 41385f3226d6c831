import { field, ListOf, needed, type Static, Struct, Text } from 'orch/sdk'

export const PolicyRule = Struct('rbac.v1.PolicyRule', {
  verbs: needed(1, ListOf(Text())),
  apiGroups: field(2, ListOf(Text())),
  resources: field(3, ListOf(Text())),
  resourceNames: field(4, ListOf(Text())),
  nonResourceURLs: field(5, ListOf(Text())),
})
export type PolicyRule = Static<typeof PolicyRule>

export const Subject = Struct(
  'rbac.v1.Subject',
  {
    kind: needed(1, Text()),
    apiGroup: field(2, Text()),
    name: needed(3, Text()),
    namespace: field(4, Text()),
  },
  { mapType: 'atomic' },
)
export type Subject = Static<typeof Subject>

export const RoleRef = Struct(
  'rbac.v1.RoleRef',
  {
    apiGroup: needed(1, Text()),
    kind: needed(2, Text()),
    name: needed(3, Text()),
  },
  { mapType: 'atomic' },
)
export type RoleRef = Static<typeof RoleRef>
