import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { group, PolicyWorld } from './policy-world.js'
import { cases, matchConstraints, types, validations } from './writing-cases.js'

const world = await PolicyWorld.start()
const writing = suite('writing policies')
writing.after(() => world.stop())

type Json = Readonly<Record<string, unknown>>
const send = (type: keyof typeof types, spec: Json, name = 'a.example.com', query = '?dryRun=All') => {
  const [version, resource] = types[type]
  return world.ask('POST', `/apis/${group}/${version}/${resource}${query}`, { metadata: { name }, spec })
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
  // What an administrator wrote before may be labelled by others, or lose a finalizer.
  await world.must('POST', `/apis/${group}/v1/validatingadmissionpolicybindings`, binding)
  const labels = { metadata: { labels: { a: 'b' } } }
  await policiesOf.patch('params.example.com', labels)
  await bindings.patch('params.example.com', labels)
  const other = { spec: { paramKind: { apiVersion: 'v1', kind: 'Secret' } } }
  assert.match(await refusal(policiesOf.patch('params.example.com', other)), /spec.paramKind: Forbidden/)
  // A policy without parameters may get some of any kind.
  await world.must('POST', `/apis/${group}/v1/validatingadmissionpolicies`, {
    metadata: { name: 'plain.example.com' },
    spec: { matchConstraints, validations },
  })
  const early = { ...binding, metadata: { name: 'early' }, spec: { ...binding.spec, policyName: 'plain.example.com' } }
  assert.match(await refusal(bindings.create(early as never)), /spec.paramRef: Forbidden/)
})

writing('rejects an empty status', async () => {
  await send('policy', { matchConstraints, validations }, 'status.example.com', '')
  const path = `/apis/${group}/v1/validatingadmissionpolicies/status.example.com/status`
  const status = { conditions: [{ type: 'Ready' }], typeChecking: { expressionWarnings: [{ fieldRef: 'spec.a' }] } }
  const { json } = await world.ask('PATCH', path, { status }, { 'content-type': 'application/merge-patch+json' })
  assert.equal(
    json.details.causes.map(({ field }: { field: string }) => field),
    [
      'status.typeChecking.expressionWarnings[0].warning',
      'status.conditions[0].status',
      'status.conditions[0].lastTransitionTime',
      'status.conditions[0].reason',
    ],
  )
})

writing('reports type errors in its status', async () => {
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
  const patch = { spec: { validations: [{ expression: 'object.spec.paused' }] } }
  await world.ask('PATCH', path, patch, { 'content-type': 'application/merge-patch+json' })
  assert.is((await checked(2)).status.typeChecking, undefined, 'nothing is left of warnings')
})

writing.run()
