import {
  AtomicList,
  Condition,
  embedded,
  field,
  Int64,
  Kind,
  kept,
  MapList,
  required,
  SetList,
  type Static,
  Struct,
  Text,
  type TSchema,
} from 'orch/sdk'
import { type SharedSchemas, sharedSchemas } from './shared-schemas.js'

const reinvocationPolicies: readonly string[] = ['IfNeeded', 'Never']

const v1 = sharedSchemas('v1')
const v1beta1 = sharedSchemas('v1beta1')
const v1alpha1 = sharedSchemas('v1alpha1')

/** Validating policies and bindings. */
function validatingSchemas(shared: SharedSchemas) {
  const { named, since, byName, Variable, aboutVariables, specFields, bindingFields } = shared
  const Validation = Struct(named('Validation'), {
    expression: required(1, Text(), 'An expression that must be true.'),
    message: field(2, Text(), 'The message if the expression is false.'),
    reason: kept(3, Text(), 'The reason in the response if the expression is false. Invalid by default.'),
    messageExpression: field(4, Text(), {
      description: 'An expression for the message. Takes precedence over message.',
      ...since('1.27'),
    }),
  })
  const AuditAnnotation = Struct(named('AuditAnnotation'), {
    key: required(1, Text(), 'Key of the annotation. It is prefixed with the name of the policy.'),
    valueExpression: required(2, Text(), 'An expression for the value: a string, or null for no annotation.'),
  })
  const ExpressionWarning = Struct(named('ExpressionWarning'), {
    fieldRef: required(2, Text(), 'The path of the field with the expression.'),
    warning: required(3, Text(), 'The type errors, for each type.'),
  })
  const TypeChecking = Struct(named('TypeChecking'), {
    expressionWarnings: field(1, AtomicList(ExpressionWarning), 'Type errors in expressions.'),
  })
  const Spec = Struct(named('ValidatingAdmissionPolicySpec'), {
    ...specFields({ failurePolicy: 4, matchConditions: 6 }),
    variables: field(7, MapList(Variable, 'name'), { description: aboutVariables, ...byName, ...since('1.28') }),
    validations: field(3, AtomicList(Validation), 'The validations of the policy.'),
    auditAnnotations: field(5, AtomicList(AuditAnnotation), {
      description: 'Annotations for the audit event of the request.',
      ...since('1.27'),
    }),
  })
  const Status = Struct(named('ValidatingAdmissionPolicyStatus'), {
    observedGeneration: field(1, Int64(), 'The generation that the status refers to.'),
    typeChecking: kept(2, TypeChecking, 'Results of type checking the expressions.'),
    conditions: field(3, MapList(Condition, 'type'), 'Observed conditions of the policy.'),
  })
  const requiredInV1 =
    shared.version === 'v1' ? { revised: [{ since: '1.36', to: { isRequired: true } }] as const } : {}
  const BindingSpec = Struct(named('ValidatingAdmissionPolicyBindingSpec'), {
    ...bindingFields,
    policyName: field(1, Text(), { description: 'The policy that the binding activates.', ...requiredInV1 }),
    validationActions: field(4, SetList(Text()), {
      description: 'What happens if a validation fails: Deny, Warn or Audit.',
      ...requiredInV1,
      ...since('1.27'),
    }),
  })
  return {
    Validation,
    TypeChecking,
    Spec,
    Status,
    policy: Kind(named('ValidatingAdmissionPolicy'), {
      spec: embedded(2, Spec, 'Desired behavior of the policy.'),
      status: embedded(3, Status, { description: 'Observed state of the policy.', ...since('1.27') }),
    }),
    binding: Kind(named('ValidatingAdmissionPolicyBinding'), {
      spec: embedded(2, BindingSpec, {
        description: 'The policy, its parameters and how it is enforced.',
        ...requiredInV1,
      }),
    }),
  }
}
const validating = validatingSchemas(v1)
/** Objects of older versions have fewer fields at some minors; those that they have are the same. */
const asStored = { toStorage: (object: unknown) => object, fromStorage: (object: unknown) => object }
/** From newest to oldest; only the newest is served by default. */
const validatingVersions = (part: 'policy' | 'binding') =>
  [
    { name: 'v1', since: '1.30', schema: validating[part], storage: true },
    {
      name: 'v1beta1',
      since: '1.28',
      until: '1.33',
      schema: validatingSchemas(v1beta1)[part],
      ...asStored,
      served: false,
      deprecated: { since: '1.31', removedRelease: '1.34' },
    },
    {
      name: 'v1alpha1',
      since: '1.26',
      until: '1.31',
      schema: validatingSchemas(v1alpha1)[part],
      ...asStored,
      served: false,
      deprecated: { since: '1.29', removedRelease: '1.32' },
    },
  ] as const
export const validatingPolicyVersions = validatingVersions('policy')
export const validatingBindingVersions = validatingVersions('binding')

/** Mutating policies and bindings have the same fields in all versions. */
function mutatingSchemas(shared: SharedSchemas, isDefaulted: boolean) {
  const { named, Variable, aboutVariables, specFields, bindingFields } = shared
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
    ...specFields({ failurePolicy: 5, matchConditions: 6 }),
    variables: field(3, AtomicList(Variable), aboutVariables),
    mutations: field(4, AtomicList(Mutation), 'The mutations, made in this order.'),
    reinvocationPolicy: kept(7, Text({ enum: reinvocationPolicies }), {
      description: 'Whether the policy is reinvoked if the object changes after it: Never or IfNeeded.',
      // In Kubernetes the field is required.
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
const allMutating = (isDefaulted: boolean) => ({
  v1: mutatingSchemas(v1, isDefaulted),
  v1beta1: mutatingSchemas(v1beta1, isDefaulted),
  v1alpha1: mutatingSchemas(v1alpha1, isDefaulted),
})
/** From newest to oldest. The specification also serves v1beta1, and defaults a field that Kubernetes requires. */
const mutatingVersions = (part: 'policy' | 'binding', isSpecification: boolean) => {
  const schemas = allMutating(isSpecification)
  return [
    { name: 'v1', since: '1.36', schema: schemas.v1[part], storage: true },
    { name: 'v1beta1', since: '1.34', schema: schemas.v1beta1[part], served: isSpecification },
    {
      name: 'v1alpha1',
      since: '1.32',
      schema: schemas.v1alpha1[part],
      ...asStored,
      served: false,
      deprecated: { since: '1.35', removedRelease: '1.38' },
    },
  ] as const
}
export const mutatingPolicyVersions = (isSpecification: boolean) => mutatingVersions('policy', isSpecification)
export const mutatingBindingVersions = (isSpecification: boolean) => mutatingVersions('binding', isSpecification)

/** The type of a struct in code. Any field may be missing until the object has been validated. */
type Loose<S extends TSchema> = NonNullable<Static<S>>
export type ValidatingSpec = Loose<typeof validating.Spec>
export type PolicyStatus = Loose<typeof validating.Status>
export type MutatingSpec = NonNullable<Static<typeof inV1.policy>['spec']>
export type BindingSpec = NonNullable<Static<typeof inV1.binding>['spec']> & {
  validationActions?: string[]
}
export type MatchResources = NonNullable<BindingSpec['matchResources']>
export type NamedRule = NonNullable<MatchResources['resourceRules']>[number]
export type ParamKind = NonNullable<ValidatingSpec['paramKind']>
export type ParamRef = NonNullable<BindingSpec['paramRef']>
export type ValidationRule = Loose<typeof validating.Validation>
export type MutationRule = NonNullable<MutatingSpec['mutations']>[number]
export type ExpressionWarnings = NonNullable<Loose<typeof validating.TypeChecking>['expressionWarnings']>

/** A policy of either kind. */
export type PolicySpec = Omit<ValidatingSpec, never> & Partial<Pick<MutatingSpec, 'mutations' | 'reinvocationPolicy'>>
