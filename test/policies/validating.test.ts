import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { group, PolicyWorld, rules } from './policy-world.js'

const world = await PolicyWorld.start()
const validating = suite('validating policies')
validating.after(() => world.stop())
validating.after.each(() => world.clear())

type Json = Readonly<Record<string, unknown>>
interface Case {
  readonly spec: Json
  readonly binding?: Json
  readonly object?: Json
  readonly namespace?: string
  /** What the message ends with; nothing when the object may pass. */
  readonly denied?: string | RegExp
  readonly code?: number
  readonly reason?: string
}
const denying = (expression: string, more: Json = {}): Json => ({ validations: [{ expression, ...more }] })
const no = denying('false', { message: 'no' })

const cases: Readonly<Record<string, Case>> = {
  'an expression that is true': { spec: denying("object.data.a == 'b'"), object: { data: { a: 'b' } } },
  'one that is false names itself': {
    spec: denying("object.data.a == 'b'"),
    object: { data: { a: 'c' } },
    denied: "failed expression: object.data.a == 'b'",
    code: 422,
    reason: 'Invalid',
  },
  'a message': { spec: no, denied: ': no' },
  'a reason with its code': {
    spec: denying('false', { reason: 'Forbidden' }),
    denied: /./,
    code: 403,
    reason: 'Forbidden',
  },
  'a reason of size': { spec: denying('false', { reason: 'RequestEntityTooLarge' }), denied: /./, code: 413 },
  'an expression for the message': {
    spec: denying('size(object.data) < 1', { messageExpression: "'has ' + string(size(object.data))", message: 'x' }),
    object: { data: { a: '1', b: '2' } },
    denied: ': has 2',
  },
  'an expression for the message that fails falls back': {
    spec: denying('false', { messageExpression: 'object.nothing.here', message: 'plain' }),
    denied: ': plain',
  },
  'a message over several lines falls back': {
    spec: denying('false', { messageExpression: "'a\\nb'", message: 'plain' }),
    denied: ': plain',
  },
  'the first refusal counts': {
    spec: {
      validations: [{ expression: 'true' }, { expression: 'false', message: 'second' }, { expression: 'false' }],
    },
    denied: ': second',
  },
  'variables, composed': {
    spec: {
      variables: [
        { name: 'n', expression: 'size(object.data)' },
        { name: 'twice', expression: 'variables.n * 2' },
      ],
      validations: [{ expression: 'variables.twice == 4', messageExpression: 'string(variables.twice)' }],
    },
    object: { data: { a: '' } },
    denied: ': 2',
  },
  'variables that nobody uses are not evaluated': {
    spec: { variables: [{ name: 'broken', expression: 'object.no.such' }], ...denying('true || variables.broken') },
  },
  'variables that fail': {
    spec: { variables: [{ name: 'broken', expression: 'object.missing' }], ...denying('variables.broken == 1') },
    denied: /composited variable "broken" fails to evaluate: no such key: missing$/,
  },
  'errors refuse': { spec: denying('object.data.a == 1'), denied: /resulted in error: no such key: data$/ },
  'errors pass when failures are ignored': { spec: { ...denying('object.data.a == 1'), failurePolicy: 'Ignore' } },
  'conditions that do not hold': {
    spec: { ...no, matchConditions: [{ name: 'c', expression: "object.metadata.name == 'other'" }] },
  },
  'conditions that fail': {
    spec: { ...denying('true'), matchConditions: [{ name: 'c', expression: 'object.no.such' }] },
    denied: /no such key: no/,
  },
  'a condition that is false beats one that fails': {
    spec: {
      ...no,
      matchConditions: [
        { name: 'fails', expression: 'object.no.such' },
        { name: 'false', expression: 'false' },
      ],
    },
  },
  'the request': {
    spec: denying(
      "!(request.operation == 'CREATE' && request.namespace == 'default' && request.name == 'a' && request.dryRun && request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap' && request.userInfo.username != '' && 'system:masters' in request.userInfo.groups)",
    ),
    denied: /./,
  },
  'no object before': { spec: denying('oldObject != null'), denied: /./ },
  'the namespace': {
    spec: denying("namespaceObject.metadata.labels['tier'] != 'gold'", { message: 'gold' }),
    namespace: 'gold',
    denied: ': gold',
  },
  'optional values': {
    spec: denying("object.?data.?a.orValue('none') != 'none'", { message: 'none' }),
    denied: ': none',
  },
  'optional index': { spec: denying("object.data[?'a'].hasValue()"), object: { data: { a: '' } } },
  quantities: {
    spec: denying("quantity(object.data.size).isLessThan(quantity('1Gi'))"),
    object: { data: { size: '1025Mi' } },
    denied: /./,
  },
  addresses: { spec: denying("cidr('10.0.0.0/8').containsIP(object.data.ip)"), object: { data: { ip: '10.1.2.3' } } },
  'an object selector that does not match': {
    spec: { ...no, matchConstraints: { ...rules('configmaps'), objectSelector: { matchLabels: { a: 'b' } } } },
  },
  'an object selector that does': {
    spec: { ...no, matchConstraints: { ...rules('configmaps'), objectSelector: { matchLabels: { a: 'b' } } } },
    object: { metadata: { labels: { a: 'b' } } },
    denied: ': no',
  },
  'a namespace selector that does not match': {
    spec: { ...no, matchConstraints: { ...rules('configmaps'), namespaceSelector: { matchLabels: { tier: 'gold' } } } },
  },
  'a namespace selector that does': {
    spec: { ...no, matchConstraints: { ...rules('configmaps'), namespaceSelector: { matchLabels: { tier: 'gold' } } } },
    namespace: 'gold',
    denied: ': no',
  },
  'excluded resources': {
    spec: { ...no, matchConstraints: { ...rules('*'), excludeResourceRules: rules('configmaps').resourceRules } },
  },
  'names that are not meant': {
    spec: {
      ...no,
      matchConstraints: { resourceRules: [{ ...rules('configmaps').resourceRules[0], resourceNames: ['b'] }] },
    },
  },
  'names that are excluded': {
    spec: {
      ...no,
      matchConstraints: {
        ...rules('configmaps'),
        excludeResourceRules: [{ ...rules('configmaps').resourceRules[0], resourceNames: ['a'] }],
      },
    },
  },
  'a binding for another namespace': {
    spec: no,
    binding: { matchResources: { namespaceSelector: { matchLabels: { tier: 'gold' } } } },
  },
  'a binding for other resources': { spec: no, binding: { matchResources: rules('secrets') } },
  'a parameter': {
    spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...denying('object.data.a == params.data.a') },
    binding: { paramRef: { name: 'limits', namespace: 'gold', parameterNotFoundAction: 'Deny' } },
    object: { data: { a: 'other' } },
    denied: /params.data.a$/,
  },
  'a parameter in the namespace of the request': {
    spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...denying("params.data.a == 'x'") },
    binding: { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } },
    namespace: 'gold',
  },
  'several parameters': {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      ...denying("params.metadata.name != 'more'", { messageExpression: 'params.metadata.name' }),
    },
    binding: {
      paramRef: { selector: { matchLabels: { limit: 'yes' } }, namespace: 'gold', parameterNotFoundAction: 'Deny' },
    },
    denied: ': more',
  },
  'a parameter that is missing': {
    spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...denying('true') },
    binding: { paramRef: { name: 'nobody', parameterNotFoundAction: 'Deny' } },
    denied: /failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction$/,
  },
  'a parameter that may be missing': {
    spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...no },
    binding: { paramRef: { name: 'nobody', parameterNotFoundAction: 'Allow' } },
  },
  'a kind of parameters that nobody serves': {
    spec: { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' }, ...denying('true') },
    binding: { paramRef: { name: 'a', parameterNotFoundAction: 'Allow' } },
    denied: /failed to configure binding: paramKind kind `example.com\/v1, Kind=Limit` not known$/,
  },
  'no parameter where the binding names none': {
    spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, ...denying('params == null') },
  },
  'what the user may do': {
    spec: denying(
      "authorizer.group('').resource('secrets').namespace('default').check('get').allowed() && authorizer.requestResource.check('create').allowed()",
    ),
  },
  'what the user may do outside of resources': { spec: denying("authorizer.path('/healthz').check('get').allowed()") },
  'more questions about rights than one expression may ask': {
    spec: denying("[1, 2, 3].all(i, authorizer.path('/healthz').check('get').allowed())"),
    denied: /actual cost limit exceeded$/,
  },
  'what an account may not do': {
    spec: denying("authorizer.serviceAccount('default', 'robot').group('').resource('secrets').check('get').allowed()"),
    denied: /./,
  },
  'an expression that costs too much': {
    spec: denying("object.data.list.split(',').all(a, object.data.list.split(',').all(b, a != b + 'x'))"),
    object: { data: { list: Array.from({ length: 3000 }, (_, i) => `${i}`).join() } },
    denied: /actual cost limit exceeded$/,
  },
  'a long text': {
    spec: denying("!object.data.text.matches('(a+)+$')", { message: 'matched' }),
    object: { data: { text: `${'a'.repeat(50_000)}b` } },
  },
}
for (const [title, { spec, binding, object, namespace, denied, code, reason }] of Object.entries(cases))
  validating(title, async () => {
    const name = await world.bind(spec, binding)
    const { status, json } = await world.tryConfigMap(object, namespace)
    if (denied === undefined) return assert.is(status, 201, json.message)
    assert.is(status, code ?? 422, json.message)
    if (reason) assert.is(json.reason, reason)
    assert.match(
      json.message,
      `configmaps "a" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: `,
    )
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

validating('records failures and annotations in the audit log, also of what passes', async () => {
  const spec = {
    validations: [{ expression: 'true' }, { expression: 'false', message: 'recorded' }],
    auditAnnotations: [
      { key: 'name', valueExpression: "'it is ' + object.metadata.name" },
      { key: 'none', valueExpression: 'null' },
    ],
  }
  const name = await world.bind(spec, { validationActions: ['Audit'] })
  const { status, warnings } = await world.tryConfigMap()
  assert.is(status, 201)
  assert.equal(warnings, [])
  const annotations = await world.recorded(`${name}/name`)
  assert.is(annotations[`${name}/name`], 'it is a')
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

validating('counts from the next request on: a new policy, a changed one, a binding that goes', async () => {
  const name = await world.bind(no)
  assert.is((await world.tryConfigMap()).status, 422)
  const path = `/apis/${group}/v1/validatingadmissionpolicies/${name}`
  const { json } = await world.must('GET', path)
  json.spec.validations[0].expression = "object.metadata.name == 'a'"
  await world.must('PUT', path, json)
  assert.is((await world.tryConfigMap()).status, 201)
  json.spec.validations[0].expression = "object.metadata.name == 'b'"
  delete json.metadata.resourceVersion
  const { json: fresh } = await world.must('GET', path)
  await world.must('PUT', path, { ...fresh, spec: json.spec })
  assert.is((await world.tryConfigMap()).status, 422)
  await world.must('DELETE', `/apis/${group}/v1/validatingadmissionpolicybindings/${name}`)
  assert.is((await world.tryConfigMap()).status, 201)
})

validating('never sees policies and their bindings, so that they can be mended', async () => {
  const name = await world.bind({ ...no, matchConstraints: rules('*') })
  assert.is((await world.tryConfigMap()).status, 422)
  await world.must('DELETE', `/apis/${group}/v1/validatingadmissionpolicies/${name}`)
  assert.is((await world.tryConfigMap()).status, 201)
})

validating('looks at other versions of the same type, unless it wants exactly what it names', async () => {
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
