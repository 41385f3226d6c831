import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { group, PolicyWorld, rules } from './policy-world.js'

const world = await PolicyWorld.start()
const writing = suite('writing policies')
writing.after(() => world.stop())

type Json = Readonly<Record<string, unknown>>
const matchConstraints = rules('configmaps')
const validations = [{ expression: 'true' }]
const types = {
  policy: ['v1', 'validatingadmissionpolicies'],
  binding: ['v1', 'validatingadmissionpolicybindings'],
  mutating: ['v1beta1', 'mutatingadmissionpolicies'],
  'mutating binding': ['v1beta1', 'mutatingadmissionpolicybindings'],
} as const
const send = (type: keyof typeof types, spec: Json, name = 'a.example.com', query = '?dryRun=All') => {
  const [version, resource] = types[type]
  return world.ask('POST', `/apis/${group}/${version}/${resource}${query}`, { metadata: { name }, spec })
}

interface Case {
  readonly type?: keyof typeof types
  readonly spec: Json
  /** Field and reason of every cause. */
  readonly causes: readonly (readonly [
    field: string,
    reason: 'Invalid' | 'Required' | 'Duplicate' | 'NotSupported' | 'Forbidden',
  ])[]
  readonly says?: RegExp
}
const cases: Readonly<Record<string, Case>> = {
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
    says: /compilation failed: ERROR: <input>:1:1: undeclared reference to 'nothing'\n \| nothing\n \| \^/,
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
      ['spec.auditAnnotations[0]', 'Invalid'],
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
for (const [title, { type = 'policy', spec, causes, says }] of Object.entries(cases))
  writing(`refuses ${title}`, async () => {
    const { status, json } = await send(type, spec)
    assert.is(status, 422, json.message)
    const found = json.details.causes.map(({ field, reason }: Record<string, string>) => [
      field,
      reason?.replace('FieldValue', ''),
    ])
    assert.equal(found, causes, json.message)
    if (says) assert.match(json.message, says)
  })

writing('fills in defaults', async () => {
  const { json } = await send('policy', { matchConstraints, validations })
  assert.is(json.spec.failurePolicy, 'Fail')
  assert.is(json.spec.matchConstraints.matchPolicy, 'Equivalent')
  assert.equal(json.spec.matchConstraints.namespaceSelector, {})
  assert.is(json.metadata.generation, 1)
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }]
  assert.is((await send('mutating', { matchConstraints, mutations })).json.spec.reinvocationPolicy, 'Never')
})

writing('needs the right to read parameters', async () => {
  const author = await world.server.addUser({ name: 'author', groups: ['authors'] })
  const rbac = '/apis/rbac.authorization.orch.io/v1'
  const policies = { apiGroups: [group], resources: ['*'], verbs: ['*'] }
  await world.must('POST', `${rbac}/clusterroles`, { metadata: { name: 'authors' }, rules: [policies] })
  await world.must('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name: 'authors' },
    roleRef: { kind: 'ClusterRole', name: 'authors', apiGroup: 'rbac.authorization.orch.io' },
    subjects: [{ kind: 'Group', name: 'authors', apiGroup: 'rbac.authorization.orch.io' }],
  })
  const policiesOf = author.client.resource({ group, version: 'v1', resource: 'validatingadmissionpolicies' })
  const withParams = {
    metadata: { name: 'params.example.com' },
    spec: { matchConstraints, validations, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
  }
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => '',
      (error: Error) => error.message,
    )
  assert.match(
    await refusal(policiesOf.create(withParams as never)),
    /spec.paramKind: Forbidden: user author must have "get" permission on all objects of the referenced paramKind/,
  )
  await world.must('POST', `/apis/${group}/v1/validatingadmissionpolicies`, withParams)
  const bindings = author.client.resource({ group, version: 'v1', resource: 'validatingadmissionpolicybindings' })
  const binding = {
    metadata: { name: 'params.example.com' },
    spec: {
      policyName: 'params.example.com',
      validationActions: ['Deny'],
      paramRef: { name: 'secretive', namespace: 'default', parameterNotFoundAction: 'Allow' },
    },
  }
  assert.match(await refusal(bindings.create(binding as never)), /spec.paramRef: Forbidden/)
})

writing('tells in its status what does not fit the types that it is about', async () => {
  const resourceRules = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['*'], resources: ['deployments'] }]
  const expressions = ['object.spec.replicas < 5', 'object.replicas < 5', "object.spec.replicas == 'a'"]
  const spec = { matchConstraints: { resourceRules }, validations: expressions.map(expression => ({ expression })) }
  const { json } = await send('policy', spec, 'types.example.com', '')
  const path = `/apis/${group}/v1/validatingadmissionpolicies/types.example.com`
  const checked = (generation: number) =>
    eventually('the types to be checked', async () => {
      const { json: found } = await world.must('GET', path)
      return found.status.observedGeneration === generation && found
    })
  const { status } = await checked(json.metadata.generation)
  assert.equal(
    status.typeChecking.expressionWarnings.map(({ fieldRef }: { fieldRef: string }) => fieldRef),
    ['spec.validations[1].expression', 'spec.validations[2].expression'],
  )
  assert.is(
    status.typeChecking.expressionWarnings[0].warning,
    "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n | object.replicas < 5\n | ......^",
  )
  const current = await checked(1)
  await world.must('PUT', path, { ...current, spec: { ...spec, validations: [{ expression: 'object.spec.paused' }] } })
  assert.equal((await checked(2)).status.typeChecking, {})
})

writing.run()
