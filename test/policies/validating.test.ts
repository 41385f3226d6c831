import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { group, PolicyWorld, rules } from './policy-world.js'
import { cases, no } from './validating-cases.js'

const world = await PolicyWorld.start()
const validating = suite('validating policies')
validating.after(() => world.stop())
validating.after.each(() => world.clear())

for (const [title, { spec, binding, object, namespace, denied, code, reason, isBroken }] of Object.entries(cases))
  validating(title, async () => {
    const name = await world.bind(spec, binding)
    const { status, json } = await world.tryConfigMap(object, namespace)
    if (denied === undefined) return assert.is(status, 201, json.message)
    assert.is(status, code ?? 422, json.message)
    if (reason) assert.is(json.reason, reason)
    const who = isBroken ? `'${name}'` : `'${name}' with binding '${name}'`
    assert.match(json.message, `configmaps "a" is forbidden: ValidatingAdmissionPolicy ${who} denied request: `)
    if (typeof denied === 'string') assert.ok(json.message.endsWith(denied), json.message)
    else assert.match(json.message, denied)
  })

validating.before(async () => {
  await world.must('POST', '/api/v1/namespaces', { metadata: { name: 'gold', labels: { tier: 'gold' } } })
  const limits = (name: string) => ({ metadata: { name, labels: { limit: 'yes' } }, data: { a: 'x' } })
  for (const name of ['limits', 'more']) await world.must('POST', '/api/v1/namespaces/gold/configmaps', limits(name))
})

validating('warns instead of refusing', async () => {
  const name = await world.bind(no, { validationActions: ['Warn'] })
  const { status, warnings } = await world.tryConfigMap()
  assert.is(status, 201)
  assert.equal(warnings, [`Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${name}': no`])
})

validating('warns in one line', async () => {
  const name = await world.bind({ validations: [{ expression: 'false ||\n  false' }] }, { validationActions: ['Warn'] })
  const { warnings } = await world.tryConfigMap()
  assert.match(warnings[0] ?? '', `'${name}': failed expression: false || false`)
})

validating('records failures and annotations in the audit log, also of what passes', async () => {
  const spec = {
    validations: [{ expression: 'true' }, { expression: 'false', message: 'recorded' }],
    auditAnnotations: [
      { key: 'name', valueExpression: "'it is ' + object.metadata.name" },
      { key: 'none', valueExpression: 'null' },
      { key: 'may', valueExpression: "string(authorizer.requestResource.check('create').allowed())" },
    ],
  }
  const name = await world.bind(spec, { validationActions: ['Audit'] })
  const { status, warnings } = await world.tryConfigMap()
  assert.is(status, 201)
  assert.equal(warnings, [])
  const annotations = await world.recorded(`${name}/name`)
  assert.is(annotations[`${name}/name`], 'it is a')
  assert.is(annotations[`${name}/may`], 'true')
  assert.not.ok(`${name}/none` in annotations)
  const failure = { message: 'recorded', policy: name, binding: name, expressionIndex: 1, validationActions: ['Audit'] }
  assert.equal(JSON.parse(annotations['validation.policy.admission.orch.io/validation_failure'] ?? ''), [failure])
})

validating('sees both objects of an update, and none of a deletion but the stored one', async () => {
  await world.must('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' }, data: { a: '1' } })
  const path = '/api/v1/namespaces/default/configmaps/kept'
  const everything = { resourceRules: [{ ...rules('configmaps').resourceRules[0], operations: ['*'] }] }
  await world.bind({
    matchConstraints: everything,
    validations: [
      {
        expression: "request.operation != 'UPDATE' || object.data.a == oldObject.data.a",
        messageExpression: "'was ' + oldObject.data.a",
      },
      { expression: "request.operation != 'DELETE' || oldObject.data.a != '1' || object != null", message: 'stays' },
    ],
  })
  const changed = await world.ask('PUT', path, { metadata: { name: 'kept' }, data: { a: '2' } })
  assert.match(changed.json.message, /: was 1$/)
  const same = await world.ask('PUT', path, { metadata: { name: 'kept', labels: { x: 'y' } }, data: { a: '1' } })
  assert.is(same.status, 200)
  assert.match((await world.ask('DELETE', path)).json.message, /: stays$/)
})

validating('takes effect with the next request: a new policy, a changed one, a deleted binding', async () => {
  const name = await world.bind(no)
  assert.is((await world.tryConfigMap()).status, 422)
  const demand = async (expression: string) => {
    const path = `/apis/${group}/v1/validatingadmissionpolicies/${name}`
    const headers = { 'content-type': 'application/merge-patch+json' }
    assert.is((await world.ask('PATCH', path, { spec: { validations: [{ expression }] } }, headers)).status, 200)
  }
  await demand("object.metadata.name == 'a'")
  assert.is((await world.tryConfigMap()).status, 201)
  await demand("object.metadata.name == 'b'")
  assert.is((await world.tryConfigMap()).status, 422)
  await world.must('DELETE', `/apis/${group}/v1/validatingadmissionpolicybindings/${name}`)
  assert.is((await world.tryConfigMap()).status, 201)
})

validating('is awaited by all requests that arrive while it is compiled', async () => {
  const long = Array.from({ length: 300 }, (_, i) => ({ expression: `object.metadata.name != 'x${i}'` }))
  await world.bind({ validations: [...long, { expression: 'false', message: 'the last one' }] })
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.tryConfigMap()))
  for (const { json } of answers) assert.match(json.message, /: the last one$/)
})

validating('never applies to policies and bindings, so that they can be fixed, nor to reviews', async () => {
  const name = await world.bind({ ...no, matchConstraints: rules('*') })
  const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } }
  await world.must('POST', '/apis/authorization.orch.io/v1/selfsubjectaccessreviews', review)
  assert.is((await world.tryConfigMap()).status, 422)
  await world.must('DELETE', `/apis/${group}/v1/validatingadmissionpolicies/${name}`)
  assert.is((await world.tryConfigMap()).status, 201)
})

validating('applies to other versions of the same type, unless its match policy is Exact', async () => {
  await world.server.installCrds({
    apiVersion: 'apiextensions.orch.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cups.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'cups', kind: 'Cup' },
      scope: 'Namespaced',
      versions: ['v1', 'v2'].map(name => ({
        name,
        served: true,
        storage: name === 'v1',
        schema: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } },
      })),
    },
  } as never)
  const about = (matchPolicy: string) => ({
    matchConstraints: {
      matchPolicy,
      resourceRules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['*'], resources: ['cups'] }],
    },
    validations: [
      { expression: 'object.size < 5', messageExpression: 'object.apiVersion + request.requestKind.version' },
    ],
  })
  const cup = { apiVersion: 'example.com/v2', kind: 'Cup', metadata: { name: 'a' }, size: 9 }
  const send = () => world.ask('POST', '/apis/example.com/v2/namespaces/default/cups?dryRun=All', cup)
  await world.bind(about('Exact'))
  assert.is((await send()).status, 201)
  await world.bind(about('Equivalent'))
  assert.match((await send()).json.message, /: example.com\/v1v2$/)
})

validating.run()
