import {
  AtomicList,
  Bool,
  embedded,
  field,
  Int32,
  Kind,
  kept,
  required,
  SetList,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'
import { statusOf } from '../condition-schema.js'
import type { FlowControlVersion } from '../priority-levels/schema.js'

/** All versions have the same fields under their own type names. */
export function flowSchemaIn(version: FlowControlVersion) {
  const named = (name: string) => `flowcontrol.${version}.${name}`
  const UserSubject = Struct(
    named('UserSubject'),
    { name: required(1, Text(), 'Name of the user; * for every user.') },
    { description: 'A user.' },
  )
  const GroupSubject = Struct(
    named('GroupSubject'),
    { name: required(1, Text(), 'Name of the group; * for every group.') },
    { description: 'A group of users.' },
  )
  const ServiceAccountSubject = Struct(
    named('ServiceAccountSubject'),
    {
      namespace: required(1, Text(), 'Namespace of the account.'),
      name: required(2, Text(), 'Name of the account; * for every account of the namespace.'),
    },
    { description: 'A service account.' },
  )
  const Subject = Struct(
    named('Subject'),
    {
      kind: required(1, Text(), 'Which of the other fields is set: User, Group or ServiceAccount.'),
      user: kept(2, UserSubject, 'A user, by name.'),
      group: kept(3, GroupSubject, 'A group, by name.'),
      serviceAccount: kept(4, ServiceAccountSubject, 'A service account, by name.'),
    },
    {
      description: 'Originator of a request.',
      union: { discriminator: 'kind', fields: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } },
    },
  )
  const ResourcePolicyRule = Struct(
    named('ResourcePolicyRule'),
    {
      verbs: required(1, SetList(Text()), 'Verbs of the requests; * for all.'),
      apiGroups: required(2, SetList(Text()), 'Groups of the resources; * for all.'),
      resources: required(3, SetList(Text()), 'Resources, such as services and nodes/status; * for all.'),
      clusterScope: field(4, Bool(), 'Whether it matches requests that name no namespace.'),
      namespaces: embedded(5, SetList(Text()), 'Namespaces of the requests; * for all. Empty only with clusterScope.'),
    },
    { description: 'Requests for resources.' },
  )
  const NonResourcePolicyRule = Struct(
    named('NonResourcePolicyRule'),
    {
      verbs: required(1, SetList(Text()), 'Methods of the requests in lower case; * for all.'),
      nonResourceURLs: required(6, SetList(Text()), 'Paths; one that ends with /* means all below it, * means all.'),
    },
    { description: 'Requests for non-resource paths.' },
  )
  const PolicyRulesWithSubjects = Struct(
    named('PolicyRulesWithSubjects'),
    {
      subjects: required(1, AtomicList(Subject), 'Originators of the requests. At least one.'),
      resourceRules: field(
        2,
        AtomicList(ResourcePolicyRule),
        'Requests for resources. One of the two lists has an item.',
      ),
      nonResourceRules: field(3, AtomicList(NonResourcePolicyRule), 'Requests for other paths.'),
    },
    { description: 'Requests of some users. A request matches if a subject and a rule match.' },
  )
  const FlowSchemaSpec = Struct(
    named('FlowSchemaSpec'),
    {
      priorityLevelConfiguration: required(
        1,
        Struct(
          named('PriorityLevelConfigurationReference'),
          { name: required(1, Text(), 'Name of the priority level.') },
          { description: 'Names a priority level.' },
        ),
        'The priority level of matching requests.',
      ),
      matchingPrecedence: embedded(
        2,
        Int32(),
        'Precedence if several schemas match: the lowest number wins, 1 to 10000. 1000 by default.',
      ),
      distinguisherMethod: kept(
        3,
        Struct(
          named('FlowDistinguisherMethod'),
          { type: required(1, Text(), 'ByUser or ByNamespace.') },
          { description: 'How flows are distinguished.' },
        ),
        'What separates the requests into flows. Unset means that all are one flow.',
      ),
      rules: field(4, AtomicList(PolicyRulesWithSubjects), 'Which requests match: those of any rule.'),
    },
    { description: 'Which requests belong to the schema, and how they are treated.' },
  )
  return Kind(
    named('FlowSchema'),
    {
      spec: embedded(2, FlowSchemaSpec, 'Desired state.'),
      status: embedded(3, statusOf('FlowSchema', version), 'Observed state. Written by the server.'),
    },
    { description: 'A group of flows: matches requests and assigns them to a priority level.' },
  )
}
export const FlowSchema = flowSchemaIn('v1')
export type FlowSchema = Static<typeof FlowSchema>
export type FlowSchemaSpec = NonNullable<FlowSchema['spec']>
export type Rule = NonNullable<FlowSchemaSpec['rules']>[number]
export type Subject = Rule['subjects'][number]
export type ResourceRule = NonNullable<Rule['resourceRules']>[number]
export type NonResourceRule = NonNullable<Rule['nonResourceRules']>[number]
