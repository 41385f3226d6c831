import {
  AtomicList,
  field,
  inlined,
  kept,
  LabelSelector,
  MapList,
  required,
  Struct,
  Text,
  type VersionName,
} from 'orch/sdk'

export const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes: readonly string[] = ['*', 'Cluster', 'Namespaced']
const failurePolicies: readonly string[] = ['Fail', 'Ignore']
const matchPolicies: readonly string[] = ['Equivalent', 'Exact']

/** The versions of policies. They have the same structs under their own names; v1alpha1 got some of the fields later. */
type PolicyVersion = 'v1' | 'v1beta1' | 'v1alpha1'
/** When v1alpha1 got a field. The other versions have had it from the start. */
const sinceIn = (version: PolicyVersion, since: VersionName) => (version === 'v1alpha1' ? { since } : {})

export function sharedSchemas(version: PolicyVersion) {
  const named = (name: string) => `admissionregistration.${version}.${name}`
  const byName = { patchStrategy: 'merge', patchMergeKey: 'name' } as const
  const since = (first: VersionName) => sinceIn(version, first)
  const Rule = Struct(named('Rule'), {
    apiGroups: field(1, AtomicList(Text()), 'API groups; * means all.'),
    apiVersions: field(2, AtomicList(Text()), 'API versions; * means all.'),
    resources: field(3, AtomicList(Text()), 'Resources, or resource/subresource; * means all.'),
    scope: kept(4, Text({ enum: scopes }), { description: 'Cluster, Namespaced or * for both.', default: '*' }),
  })
  const RuleWithOperations = Struct(named('RuleWithOperations'), {
    operations: field(1, AtomicList(Text({ enum: operations })), 'CREATE, UPDATE, DELETE, CONNECT or * for all.'),
    ...inlined(2, Rule),
  })
  const NamedRuleWithOperations = Struct(
    named('NamedRuleWithOperations'),
    {
      resourceNames: field(1, AtomicList(Text()), 'Names of the objects. Empty means all.'),
      ...inlined(2, RuleWithOperations),
    },
    { mapType: 'atomic', description: 'Operations on resources, and names of objects.' },
  )
  const MatchResources = Struct(
    named('MatchResources'),
    {
      namespaceSelector: kept(1, LabelSelector, {
        description: 'Selects the namespaces whose objects match. Cluster-scoped objects always match.',
        default: {},
      }),
      objectSelector: kept(2, LabelSelector, {
        description: 'Selects objects by their labels, before or after the change.',
        default: {},
      }),
      resourceRules: field(3, AtomicList(NamedRuleWithOperations), 'The operations on resources that match.'),
      excludeResourceRules: field(
        4,
        AtomicList(NamedRuleWithOperations),
        'The operations on resources that do not match. Takes precedence over resourceRules.',
      ),
      matchPolicy: kept(7, Text({ enum: matchPolicies }), {
        description:
          'Whether requests to other versions of the same resource match: Equivalent (the default) or Exact.',
        default: 'Equivalent',
      }),
    },
    { mapType: 'atomic', description: 'Which requests match.' },
  )
  const ParamKind = Struct(
    named('ParamKind'),
    {
      apiVersion: field(1, Text(), 'Group and version of the parameters.'),
      kind: field(2, Text(), 'Kind of the parameters.'),
    },
    { mapType: 'atomic', description: 'The type of parameters.' },
  )
  const ParamRef = Struct(
    named('ParamRef'),
    {
      name: field(1, Text(), 'Name of the parameter. Mutually exclusive with selector.'),
      namespace: field(2, Text(), 'Namespace of the parameter. The namespace of the request if empty.'),
      selector: kept(3, LabelSelector, {
        description:
          'Selects parameters by their labels; the policy is evaluated with each. Mutually exclusive with name.',
        ...since('1.28'),
      }),
      parameterNotFoundAction: kept(4, Text(), {
        description: 'What happens if no parameter is found: Allow or Deny.',
        ...(version === 'v1alpha1' ? { default: 'Deny' } : {}),
        ...since('1.28'),
      }),
    },
    { mapType: 'atomic', description: 'A reference to parameters.' },
  )
  const MatchCondition = Struct(named('MatchCondition'), {
    name: required(1, Text(), 'Name of the condition.'),
    expression: required(2, Text(), 'An expression that must be true for the policy to be evaluated.'),
  })
  const Variable = Struct(
    named('Variable'),
    {
      name: required(1, Text(), 'Name of the variable: expressions use it as variables.NAME.'),
      expression: required(2, Text(), 'The expression for the value; evaluated on first use.'),
    },
    { ...(version === 'v1alpha1' ? {} : { mapType: 'atomic' }), description: 'A named expression.' },
  )
  /** The fields that both kinds of policies have, with different field numbers. */
  const specFields = (numbers: { failurePolicy: number; matchConditions: number }) => ({
    paramKind: field(1, ParamKind, 'The kind of the parameters that bindings refer to.'),
    matchConstraints: field(2, MatchResources, 'Which requests the policy applies to.'),
    failurePolicy: kept(numbers.failurePolicy, Text({ enum: failurePolicies }), {
      description: 'What happens if evaluation fails: Fail (the default) or Ignore.',
      default: 'Fail',
    }),
    matchConditions: field(numbers.matchConditions, MapList(MatchCondition, 'name'), {
      description: 'Further conditions, all of which must be true.',
      ...byName,
      ...since('1.27'),
    }),
  })
  const aboutVariables = 'Named expressions. Each may use those before it.'
  const bindingFields = {
    policyName: field(1, Text(), 'The policy that the binding activates.'),
    paramRef: field(2, ParamRef, 'The parameters of the policy.'),
    matchResources: field(3, MatchResources, 'Restricts the requests that the policy applies to.'),
  }
  return { version, named, since, byName, Variable, aboutVariables, specFields, bindingFields }
}
export type SharedSchemas = ReturnType<typeof sharedSchemas>
