import { field, ListOf, required, type Static, Struct, Text } from 'orch/sdk'

export const PolicyRule = Struct(
  'rbac.v1.PolicyRule',
  {
    verbs: required(1, ListOf(Text()), 'What may be done; * means everything.'),
    apiGroups: field(2, ListOf(Text()), 'API groups of the resources; "" is the core group, * means all.'),
    resources: field(3, ListOf(Text()), 'Resources, or resource/subresource; * means all, */status the status of all.'),
    resourceNames: field(4, ListOf(Text()), 'Names of objects the rule is limited to. Empty means all of them.'),
    nonResourceURLs: field(
      5,
      ListOf(Text()),
      'Paths that are no resources; * at the end stands for everything below. Only in cluster roles.',
    ),
  },
  { description: 'Something that is allowed. Either resources or other paths, not both.' },
)
export type PolicyRule = Static<typeof PolicyRule>

export const Subject = Struct(
  'rbac.v1.Subject',
  {
    kind: required(1, Text(), 'User, Group or ServiceAccount.'),
    apiGroup: field(
      2,
      Text(),
      'API group of the kind: the authorization group for users and groups, empty for service accounts.',
    ),
    name: required(3, Text(), 'Name of the user, group or account.'),
    namespace: field(4, Text(), 'Namespace of the account. Users and groups have none.'),
  },
  { description: 'A user, group or service account that is granted permissions.', mapType: 'atomic' },
)
export type Subject = Static<typeof Subject>

export const RoleRef = Struct(
  'rbac.v1.RoleRef',
  {
    apiGroup: required(1, Text(), {
      description: 'API group of the role.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    kind: required(2, Text(), 'Role or ClusterRole.'),
    name: required(3, Text(), 'Name of the role.'),
  },
  { description: 'The role that a binding is about.', mapType: 'atomic' },
)
export type RoleRef = Static<typeof RoleRef>
