import {
  AtomicList,
  Condition,
  embedded,
  field,
  Int64,
  inlined,
  Kind,
  kept,
  LabelSelector,
  MapList,
  required,
  SetList,
  type Static,
  Struct,
  Text,
  type TSchema,
} from 'orch/sdk'

export const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes: readonly string[] = ['*', 'Cluster', 'Namespaced']
const failurePolicies: readonly string[] = ['Fail', 'Ignore']
const matchPolicies: readonly string[] = ['Equivalent', 'Exact']
const reinvocationPolicies: readonly string[] = ['IfNeeded', 'Never']

/** What is the same in both versions of the group but its name. */
function sharedSchemas(version: string) {
  const named = (name: string) => `admissionregistration.${version}.${name}`
  const byName = { patchStrategy: 'merge', patchMergeKey: 'name' } as const
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
      resourceNames: field(1, AtomicList(Text()), 'Names of the objects; none means all.'),
      ...inlined(2, RuleWithOperations),
    },
    { mapType: 'atomic', description: 'Operations on resources, and names of objects.' },
  )
  const MatchResources = Struct(
    named('MatchResources'),
    {
      namespaceSelector: kept(1, LabelSelector, {
        description: 'Labels of the namespaces whose objects are meant. Cluster-scoped objects always are.',
        default: {},
      }),
      objectSelector: kept(2, LabelSelector, {
        description: 'Labels of the objects that are meant, before or after the change.',
        default: {},
      }),
      resourceRules: field(3, AtomicList(NamedRuleWithOperations), 'Which operations on which resources are meant.'),
      excludeResourceRules: field(4, AtomicList(NamedRuleWithOperations), 'Which are not; these count first.'),
      matchPolicy: kept(7, Text({ enum: matchPolicies }), {
        description:
          'Whether requests to other versions of the same resource count: Equivalent (the default) or Exact.',
        default: 'Equivalent',
      }),
    },
    { mapType: 'atomic', description: 'Which requests are meant.' },
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
      name: field(1, Text(), 'Name of the parameter. Excludes selector.'),
      namespace: field(2, Text(), 'Where to look for it; in the namespace of the request when empty.'),
      selector: kept(3, LabelSelector, 'Labels of the parameters, all of which count. Excludes name.'),
      parameterNotFoundAction: kept(4, Text(), 'What happens when there is none: Allow or Deny.'),
    },
    { mapType: 'atomic', description: 'Where parameters are.' },
  )
  const MatchCondition = Struct(named('MatchCondition'), {
    name: required(1, Text(), 'Name of the condition.'),
    expression: required(2, Text(), 'An expression that must be true for the policy to count.'),
  })
  const Variable = Struct(
    named('Variable'),
    {
      name: required(1, Text(), 'Name of the variable: expressions use it as variables.NAME.'),
      expression: required(2, Text(), 'Its value; evaluated when it is first used.'),
    },
    { mapType: 'atomic', description: 'An expression with a name.' },
  )
  /** The fields of both kinds of policy. Their numbers differ. */
  const specFields = (numbers: { variables: number; failurePolicy: number; matchConditions: number }) => ({
    paramKind: field(1, ParamKind, 'The type of parameters that bindings give to the policy.'),
    matchConstraints: field(2, MatchResources, 'Which requests the policy is about.'),
    failurePolicy: kept(numbers.failurePolicy, Text({ enum: failurePolicies }), {
      description: 'What happens when the policy cannot be evaluated: Fail (the default) or Ignore.',
      default: 'Fail',
    }),
    matchConditions: field(numbers.matchConditions, MapList(MatchCondition, 'name'), {
      description: 'Further conditions, all of which must hold.',
      ...byName,
    }),
    variables: field(numbers.variables, MapList(Variable, 'name'), {
      description: 'Expressions with names. Each may use those before it.',
      ...byName,
    }),
  })
  const bindingFields = {
    policyName: field(1, Text(), 'The policy that it puts into force.'),
    paramRef: field(2, ParamRef, 'The parameters that the policy gets.'),
    matchResources: field(3, MatchResources, 'Which of the requests that the policy is about are meant.'),
  }
  return { named, specFields, bindingFields }
}

const v1 = sharedSchemas('v1')
const v1beta1 = sharedSchemas('v1beta1')

const Validation = Struct(v1.named('Validation'), {
  expression: required(1, Text(), 'An expression that must be true.'),
  message: field(2, Text(), 'What is said when it is not.'),
  reason: kept(3, Text(), 'The reason of the answer then; Invalid by default.'),
  messageExpression: field(4, Text(), 'An expression for what is said, instead of message.'),
})
const AuditAnnotation = Struct(v1.named('AuditAnnotation'), {
  key: required(1, Text(), 'Key of the annotation, behind the name of the policy.'),
  valueExpression: required(2, Text(), 'Its value: a text, or null for none.'),
})
const ExpressionWarning = Struct(v1.named('ExpressionWarning'), {
  fieldRef: required(2, Text(), 'The field with the expression.'),
  warning: required(3, Text(), 'What is wrong with it, for each type.'),
})
const TypeChecking = Struct(v1.named('TypeChecking'), {
  expressionWarnings: field(1, AtomicList(ExpressionWarning), 'Expressions that do not fit the types they are about.'),
})
const ValidatingAdmissionPolicySpec = Struct(v1.named('ValidatingAdmissionPolicySpec'), {
  ...v1.specFields({ failurePolicy: 4, matchConditions: 6, variables: 7 }),
  validations: field(3, AtomicList(Validation), 'What must be true.'),
  auditAnnotations: field(5, AtomicList(AuditAnnotation), 'What is written to the audit log.'),
})
const ValidatingAdmissionPolicyStatus = Struct(v1.named('ValidatingAdmissionPolicyStatus'), {
  observedGeneration: field(1, Int64(), 'The generation that was looked at.'),
  typeChecking: kept(2, TypeChecking, 'What came of checking expressions against types.'),
  conditions: field(3, MapList(Condition, 'type'), 'What was observed about the policy.'),
})
export const ValidatingAdmissionPolicy = Kind(v1.named('ValidatingAdmissionPolicy'), {
  spec: embedded(2, ValidatingAdmissionPolicySpec, 'What the policy demands.'),
  status: embedded(3, ValidatingAdmissionPolicyStatus, 'What the server found out about it.'),
})
export const ValidatingAdmissionPolicyBinding = Kind(v1.named('ValidatingAdmissionPolicyBinding'), {
  spec: embedded(
    2,
    Struct(v1.named('ValidatingAdmissionPolicyBindingSpec'), {
      ...v1.bindingFields,
      validationActions: field(4, SetList(Text()), 'What happens when a validation fails: Deny, Warn, Audit.'),
    }),
    'Which policy is in force, where, and how strictly.',
  ),
})

const expressionOf = (name: string, description: string) =>
  Struct(v1beta1.named(name), { expression: field(1, Text(), description) })
const Mutation = Struct(v1beta1.named('Mutation'), {
  patchType: required(2, Text(), 'ApplyConfiguration or JSONPatch.'),
  applyConfiguration: field(
    3,
    expressionOf('ApplyConfiguration', 'An expression that comes to an Object: the fields to set.'),
    'Fields that are merged into the object.',
  ),
  jsonPatch: field(
    4,
    expressionOf('JSONPatch', 'An expression that comes to a list of JSONPatch.'),
    'Operations on the object.',
  ),
})
export const MutatingAdmissionPolicy = Kind(v1beta1.named('MutatingAdmissionPolicy'), {
  spec: embedded(
    2,
    Struct(v1beta1.named('MutatingAdmissionPolicySpec'), {
      ...v1beta1.specFields({ variables: 3, failurePolicy: 5, matchConditions: 6 }),
      mutations: field(4, AtomicList(Mutation), 'Changes, made one after another.'),
      reinvocationPolicy: kept(7, Text({ enum: reinvocationPolicies }), {
        description: 'Whether it is asked again after others changed the object: Never (the default) or IfNeeded.',
        default: 'Never',
      }),
    }),
    'What the policy changes.',
  ),
})
export const MutatingAdmissionPolicyBinding = Kind(v1beta1.named('MutatingAdmissionPolicyBinding'), {
  spec: embedded(
    2,
    Struct(v1beta1.named('MutatingAdmissionPolicyBindingSpec'), v1beta1.bindingFields),
    'Which policy is in force, and where.',
  ),
})

/** What a struct is in code: everything may be missing until it is validated. */
type Loose<S extends TSchema> = NonNullable<Static<S>>
export type ValidatingSpec = Loose<typeof ValidatingAdmissionPolicySpec>
export type PolicyStatus = Loose<typeof ValidatingAdmissionPolicyStatus>
export type MutatingSpec = NonNullable<Static<typeof MutatingAdmissionPolicy>['spec']>
export type BindingSpec = NonNullable<Static<typeof MutatingAdmissionPolicyBinding>['spec']> & {
  validationActions?: string[]
}
export type MatchResources = NonNullable<BindingSpec['matchResources']>
export type NamedRule = NonNullable<MatchResources['resourceRules']>[number]
export type ParamKind = NonNullable<ValidatingSpec['paramKind']>
export type ParamRef = NonNullable<BindingSpec['paramRef']>
export type ValidationRule = Loose<typeof Validation>
export type MutationRule = Loose<typeof Mutation>
export type ExpressionWarnings = NonNullable<Loose<typeof TypeChecking>['expressionWarnings']>

/** A policy of either kind. */
export type PolicySpec = Omit<ValidatingSpec, never> & Partial<Pick<MutatingSpec, 'mutations' | 'reinvocationPolicy'>>
