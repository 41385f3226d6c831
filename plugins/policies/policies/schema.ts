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

/** The structs that both versions of the group share; only their names differ. */
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
      selector: kept(
        3,
        LabelSelector,
        'Selects parameters by their labels; the policy is evaluated with each. Mutually exclusive with name.',
      ),
      parameterNotFoundAction: kept(4, Text(), 'What happens if no parameter is found: Allow or Deny.'),
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
    { mapType: 'atomic', description: 'A named expression.' },
  )
  /** The fields that both kinds of policies have, with different field numbers. */
  const specFields = (numbers: { variables: number; failurePolicy: number; matchConditions: number }) => ({
    paramKind: field(1, ParamKind, 'The kind of the parameters that bindings refer to.'),
    matchConstraints: field(2, MatchResources, 'Which requests the policy applies to.'),
    failurePolicy: kept(numbers.failurePolicy, Text({ enum: failurePolicies }), {
      description: 'What happens if evaluation fails: Fail (the default) or Ignore.',
      default: 'Fail',
    }),
    matchConditions: field(numbers.matchConditions, MapList(MatchCondition, 'name'), {
      description: 'Further conditions, all of which must be true.',
      ...byName,
    }),
    variables: field(numbers.variables, MapList(Variable, 'name'), {
      description: 'Named expressions. Each may use those before it.',
      ...byName,
    }),
  })
  const bindingFields = {
    policyName: field(1, Text(), 'The policy that the binding activates.'),
    paramRef: field(2, ParamRef, 'The parameters of the policy.'),
    matchResources: field(3, MatchResources, 'Restricts the requests that the policy applies to.'),
  }
  return { named, specFields, bindingFields }
}

const v1 = sharedSchemas('v1')

const Validation = Struct(v1.named('Validation'), {
  expression: required(1, Text(), 'An expression that must be true.'),
  message: field(2, Text(), 'The message if the expression is false.'),
  reason: kept(3, Text(), 'The reason in the response if the expression is false. Invalid by default.'),
  messageExpression: field(4, Text(), 'An expression for the message. Takes precedence over message.'),
})
const AuditAnnotation = Struct(v1.named('AuditAnnotation'), {
  key: required(1, Text(), 'Key of the annotation. It is prefixed with the name of the policy.'),
  valueExpression: required(2, Text(), 'An expression for the value: a string, or null for no annotation.'),
})
const ExpressionWarning = Struct(v1.named('ExpressionWarning'), {
  fieldRef: required(2, Text(), 'The path of the field with the expression.'),
  warning: required(3, Text(), 'The type errors, for each type.'),
})
const TypeChecking = Struct(v1.named('TypeChecking'), {
  expressionWarnings: field(1, AtomicList(ExpressionWarning), 'Type errors in expressions.'),
})
const ValidatingAdmissionPolicySpec = Struct(v1.named('ValidatingAdmissionPolicySpec'), {
  ...v1.specFields({ failurePolicy: 4, matchConditions: 6, variables: 7 }),
  validations: field(3, AtomicList(Validation), 'The validations of the policy.'),
  auditAnnotations: field(5, AtomicList(AuditAnnotation), 'Annotations for the audit event of the request.'),
})
const ValidatingAdmissionPolicyStatus = Struct(v1.named('ValidatingAdmissionPolicyStatus'), {
  observedGeneration: field(1, Int64(), 'The generation that the status refers to.'),
  typeChecking: kept(2, TypeChecking, 'Results of type checking the expressions.'),
  conditions: field(3, MapList(Condition, 'type'), 'Observed conditions of the policy.'),
})
export const ValidatingAdmissionPolicy = Kind(v1.named('ValidatingAdmissionPolicy'), {
  spec: embedded(2, ValidatingAdmissionPolicySpec, 'Desired behavior of the policy.'),
  status: embedded(3, ValidatingAdmissionPolicyStatus, 'Observed state of the policy.'),
})
export const ValidatingAdmissionPolicyBinding = Kind(v1.named('ValidatingAdmissionPolicyBinding'), {
  spec: embedded(
    2,
    Struct(v1.named('ValidatingAdmissionPolicyBindingSpec'), {
      ...v1.bindingFields,
      validationActions: field(4, SetList(Text()), 'What happens if a validation fails: Deny, Warn or Audit.'),
    }),
    'The policy, its parameters and how it is enforced.',
  ),
})

/** Mutating policies and bindings have the same fields in both versions. */
function mutatingSchemas({ named, specFields, bindingFields }: ReturnType<typeof sharedSchemas>, isDefaulted: boolean) {
  const expressionOf = (name: string, description: string) =>
    Struct(named(name), { expression: field(1, Text(), description) })
  const Mutation = Struct(named('Mutation'), {
    patchType: required(2, Text(), 'ApplyConfiguration or JSONPatch.'),
    applyConfiguration: field(
      3,
      expressionOf('ApplyConfiguration', 'An expression that evaluates to an Object with the fields to set.'),
      'Fields to merge into the object.',
    ),
    jsonPatch: field(
      4,
      expressionOf('JSONPatch', 'An expression that evaluates to a list of JSONPatch.'),
      'Patch operations on the object.',
    ),
  })
  const Spec = Struct(named('MutatingAdmissionPolicySpec'), {
    ...specFields({ variables: 3, failurePolicy: 5, matchConditions: 6 }),
    mutations: field(4, AtomicList(Mutation), 'The mutations, made in this order.'),
    reinvocationPolicy: kept(7, Text({ enum: reinvocationPolicies }), {
      description: 'Whether the policy is reinvoked if the object changes after it: Never or IfNeeded.',
      // Kubernetes wants it to be said.
      ...(isDefaulted ? { default: 'Never' } : {}),
    }),
  })
  const BindingSpec = Struct(named('MutatingAdmissionPolicyBindingSpec'), bindingFields)
  return {
    policy: Kind(named('MutatingAdmissionPolicy'), { spec: embedded(2, Spec, 'Desired behavior of the policy.') }),
    binding: Kind(named('MutatingAdmissionPolicyBinding'), {
      spec: embedded(2, BindingSpec, 'The policy and its parameters.'),
    }),
  }
}
const inV1 = mutatingSchemas(v1, true)
/** Both versions, for the specification and for Kubernetes. */
const mutating = {
  specified: { inV1, inV1beta1: mutatingSchemas(sharedSchemas('v1beta1'), true) },
  strict: { inV1: mutatingSchemas(v1, false), inV1beta1: mutatingSchemas(sharedSchemas('v1beta1'), false) },
}
const mutatingFor = (isSpecified: boolean) => (isSpecified ? mutating.specified : mutating.strict)
/** Served from newest to oldest. */
const mutatingVersions = <S extends TSchema, B extends TSchema>(schema: S, betaSchema: B, servesBeta: boolean) =>
  [
    { name: 'v1', since: '1.36', schema, storage: true },
    { name: 'v1beta1', since: '1.34', schema: betaSchema, served: servesBeta },
  ] as const
export const mutatingPolicyVersions = (servesBeta: boolean) =>
  mutatingVersions(mutatingFor(servesBeta).inV1.policy, mutatingFor(servesBeta).inV1beta1.policy, servesBeta)
export const mutatingBindingVersions = (servesBeta: boolean) =>
  mutatingVersions(mutatingFor(servesBeta).inV1.binding, mutatingFor(servesBeta).inV1beta1.binding, servesBeta)

/** The type of a struct in code. Any field may be missing until the object has been validated. */
type Loose<S extends TSchema> = NonNullable<Static<S>>
export type ValidatingSpec = Loose<typeof ValidatingAdmissionPolicySpec>
export type PolicyStatus = Loose<typeof ValidatingAdmissionPolicyStatus>
export type MutatingSpec = NonNullable<Static<typeof inV1.policy>['spec']>
export type BindingSpec = NonNullable<Static<typeof inV1.binding>['spec']> & {
  validationActions?: string[]
}
export type MatchResources = NonNullable<BindingSpec['matchResources']>
export type NamedRule = NonNullable<MatchResources['resourceRules']>[number]
export type ParamKind = NonNullable<ValidatingSpec['paramKind']>
export type ParamRef = NonNullable<BindingSpec['paramRef']>
export type ValidationRule = Loose<typeof Validation>
export type MutationRule = NonNullable<MutatingSpec['mutations']>[number]
export type ExpressionWarnings = NonNullable<Loose<typeof TypeChecking>['expressionWarnings']>

/** A policy of either kind. */
export type PolicySpec = Omit<ValidatingSpec, never> & Partial<Pick<MutatingSpec, 'mutations' | 'reinvocationPolicy'>>
