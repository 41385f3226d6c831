import { rules } from './policy-world.js'

type Json = Readonly<Record<string, unknown>>
/** A policy, an object, and what comes of them. */
export interface Case {
  readonly spec: Json
  readonly binding?: Json
  readonly object?: Json
  readonly namespace?: string
  /** What the message ends with; nothing when the object may pass. */
  readonly denied?: string | RegExp
  readonly code?: number
  readonly reason?: string
  /** Whether the policy cannot be evaluated at all, so that the message names no binding. */
  readonly isBroken?: boolean
}
const denying = (expression: string, more: Json = {}): Json => ({ validations: [{ expression, ...more }] })
/** A policy that refuses everything. */
export const no = denying('false', { message: 'no' })

export const cases: Readonly<Record<string, Case>> = {
  'an expression that is true': { spec: denying("object.data.a == 'b'"), object: { data: { a: 'b' } } },
  'one that is false names itself': {
    spec: denying("object.data.a == 'b'"),
    object: { data: { a: 'c' } },
    denied: "failed expression: object.data.a == 'b'",
    code: 422,
    reason: 'Invalid',
  },
  'one over several lines, which needs no message': {
    spec: denying('object.kind ==\n  "b"'),
    denied: /kind ==\n {2}"b"$/,
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
  'the namespace, which other objects do not have': {
    spec: denying("namespaceObject != null && (request.name == 'a' ? null : namespaceObject) == null"),
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
    denied:
      /failed to configure policy: failed to find resource referenced by paramKind: 'example.com\/v1, Kind=Limit'$/,
    isBroken: true,
  },
  'a kind of parameters that nobody serves, and no binding that matches the request': {
    spec: { paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' }, ...denying('true') },
    binding: { matchResources: rules('secrets') },
    denied: /Kind=Limit'$/,
    isBroken: true,
  },
  'a version of parameters that nobody serves': {
    spec: { paramKind: { apiVersion: 'v9', kind: 'ConfigMap' }, ...denying('true') },
    binding: { paramRef: { name: 'limits', namespace: 'gold', parameterNotFoundAction: 'Allow' } },
    denied: /failed to find resource referenced by paramKind: 'v9, Kind=ConfigMap'$/,
    isBroken: true,
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
    denied: /actual cost limit exceeded/,
  },
  'a long text': {
    spec: denying("!object.data.text.matches('(a+)+$')", { message: 'matched' }),
    object: { data: { text: `${'a'.repeat(50_000)}b` } },
  },
}
