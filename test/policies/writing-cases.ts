import { rules } from './policy-world.js'

type Json = Readonly<Record<string, unknown>>
export const matchConstraints = rules('configmaps')
export const validations = [{ expression: 'true' }]
export const types = {
  policy: ['v1', 'validatingadmissionpolicies'],
  binding: ['v1', 'validatingadmissionpolicybindings'],
  mutating: ['v1', 'mutatingadmissionpolicies'],
  'mutating binding': ['v1beta1', 'mutatingadmissionpolicybindings'],
} as const
/** What is written, and what is wrong with it. */
export interface Case {
  readonly type?: keyof typeof types
  readonly spec: Json
  /** Field and reason of every cause. */
  readonly causes: readonly (readonly [
    field: string,
    reason: 'Invalid' | 'Required' | 'Duplicate' | 'NotSupported' | 'Forbidden',
  ])[]
  readonly says?: RegExp
}
export const cases: Readonly<Record<string, Case>> = {
  'nothing at all': {
    spec: {},
    causes: [
      ['spec.matchConstraints', 'Required'],
      ['spec.validations', 'Required'],
      ['spec.auditAnnotations', 'Required'],
    ],
  },
  'no rules about resources': {
    spec: { matchConstraints: {}, validations },
    causes: [['spec.matchConstraints.resourceRules', 'Required']],
  },
  'rules and names of objects': {
    spec: {
      validations,
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['*', 'a'],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['a'],
            resourceNames: ['x', 'x', 'a/b'],
          },
        ],
      },
    },
    causes: [
      ['spec.matchConstraints.resourceRules[0].resourceNames[1]', 'Duplicate'],
      ['spec.matchConstraints.resourceRules[0].resourceNames[2]', 'Invalid'],
      ['spec.matchConstraints.resourceRules[0].apiGroups', 'Invalid'],
    ],
  },
  'expressions that do not compile name their field': {
    spec: {
      matchConstraints,
      matchConditions: [{ name: 'a', expression: 'variables.a' }],
      variables: [{ name: 'a', expression: 'nothing' }],
      validations: [
        { expression: '1 +' },
        { expression: '1' },
        { expression: 'true', messageExpression: 'authorizer' },
      ],
      auditAnnotations: [{ key: 'a', valueExpression: '1' }],
    },
    causes: [
      ['spec.matchConditions[0].expression', 'Invalid'],
      ['spec.variables[0].expression', 'Invalid'],
      ['spec.validations[0].expression', 'Invalid'],
      ['spec.validations[1].expression', 'Invalid'],
      ['spec.validations[2].messageExpression', 'Invalid'],
      ['spec.auditAnnotations[0].valueExpression', 'Invalid'],
    ],
    says: /compilation failed: ERROR: <input>:1:1: undeclared reference to 'nothing' \(in container ''\)\n \| nothing\n \| \^/,
  },
  'variables see only those before them': {
    spec: {
      matchConstraints,
      validations,
      variables: [
        { name: 'a', expression: 'variables.b' },
        { name: 'b', expression: '1' },
      ],
    },
    causes: [['spec.variables[0].expression', 'Invalid']],
    says: /undefined field 'b'/,
  },
  'parameters only where there is a kind of them': {
    spec: { matchConstraints, validations: [{ expression: 'params.a == 1' }] },
    causes: [['spec.validations[0].expression', 'Invalid']],
    says: /undeclared reference to 'params'/,
  },
  'changes only in mutating policies': {
    spec: { matchConstraints, validations: [{ expression: 'Object{} != null' }] },
    causes: [['spec.validations[0].expression', 'Invalid']],
  },
  'names, messages and reasons': {
    spec: {
      matchConstraints,
      matchConditions: [
        { name: 'a b', expression: ' ' },
        { name: 'x', expression: 'true' },
      ],
      variables: [
        { name: 'a-b', expression: '1' },
        { name: 'for', expression: '' },
      ],
      validations: [
        { expression: ' ' },
        { expression: 'true', message: ' ' },
        { expression: 'true', message: 'a\nb' },
        { expression: 'true\n', reason: 'Whim' },
      ],
      auditAnnotations: [
        { key: 'a/b', valueExpression: ' ' },
        { key: 'c', valueExpression: `"${'x'.repeat(6000)}"` },
      ],
    },
    causes: [
      ['spec.matchConditions[0].expression', 'Required'],
      ['spec.matchConditions[0].name', 'Invalid'],
      ['spec.variables[0].name', 'Invalid'],
      ['spec.variables[1].name', 'Invalid'],
      ['spec.variables[1].expression', 'Required'],
      ['spec.validations[0].expression', 'Required'],
      ['spec.validations[1].message', 'Invalid'],
      ['spec.validations[2].message', 'Invalid'],
      ['spec.validations[3].reason', 'NotSupported'],
      ['spec.auditAnnotations[0].key', 'Invalid'],
      ['spec.auditAnnotations[0].valueExpression', 'Required'],
      ['spec.auditAnnotations[1].valueExpression', 'Required'],
    ],
  },
  'a kind of parameters': {
    spec: { matchConstraints, validations, paramKind: { apiVersion: 'a/b/c' } },
    causes: [
      ['spec.paramKind.apiVersion', 'Invalid'],
      ['spec.paramKind.kind', 'Required'],
    ],
  },
  'a policy that fails in a new way': {
    spec: { matchConstraints, validations, failurePolicy: 'Panic' },
    causes: [['spec.failurePolicy', 'NotSupported']],
  },
  'an expression without an end': {
    spec: {
      matchConstraints,
      validations: [{ expression: `${'('.repeat(200)}true` }, { expression: 'a'.repeat(100_001) }],
    },
    causes: [
      ['spec.validations[0].expression', 'Invalid'],
      ['spec.validations[1].expression', 'Invalid'],
    ],
  },
  'a binding of nothing': {
    type: 'binding',
    spec: {},
    causes: [
      ['spec.policyName', 'Required'],
      ['spec.validationActions', 'Required'],
    ],
  },
  'actions that exclude each other, and such that nobody knows': {
    type: 'binding',
    spec: { policyName: 'a', validationActions: ['Deny', 'Warn', 'Pray'] },
    causes: [
      ['spec.validationActions[2]', 'NotSupported'],
      ['spec.validationActions', 'Invalid'],
    ],
  },
  'parameters by name and by labels': {
    type: 'binding',
    spec: {
      policyName: 'a',
      validationActions: ['Deny'],
      paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Panic' },
    },
    causes: [
      ['spec.paramRef.name', 'Forbidden'],
      ['spec.paramRef.selector', 'Forbidden'],
      ['spec.paramRef.parameterNotFoundAction', 'NotSupported'],
    ],
  },
  'parameters of no name': {
    type: 'mutating binding',
    spec: { policyName: 'a', paramRef: {} },
    causes: [
      ['spec.paramRef', 'Required'],
      ['spec.paramRef.parameterNotFoundAction', 'Required'],
    ],
  },
  'mutations of what is deleted': {
    type: 'mutating',
    spec: {
      matchConstraints: { resourceRules: [{ ...matchConstraints.resourceRules[0], operations: ['CREATE', 'DELETE'] }] },
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    },
    causes: [['spec.matchConstraints.resourceRules.operations', 'NotSupported']],
  },
  'no mutations': { type: 'mutating', spec: { matchConstraints }, causes: [['spec.mutations', 'Required']] },
  'mutations of the wrong kind': {
    type: 'mutating',
    spec: {
      matchConstraints,
      mutations: [
        { patchType: 'JSONPatch', applyConfiguration: { expression: 'Object{}' } },
        { patchType: 'Merge' },
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression: '[JSONPatch{op: "x"}]' } },
        { patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{operation: "x"}]' } },
      ],
    },
    causes: [
      ['spec.mutations[0].jsonPatch', 'Required'],
      ['spec.mutations[0].applyConfiguration', 'Invalid'],
      ['spec.mutations[1].patchType', 'NotSupported'],
      ['spec.mutations[2].applyConfiguration.expression', 'Invalid'],
      ['spec.mutations[3].jsonPatch.expression', 'Invalid'],
    ],
  },
}
