import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { group, PolicyWorld, rules } from './policy-world.js'

const world = await PolicyWorld.start()
const mutating = suite('mutating policies')
mutating.after(() => world.stop())
mutating.after.each(() => world.clear())

type Json = Readonly<Record<string, unknown>>
const apply = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } })
const patch = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })
const label = (name: string, value: string) => apply(`Object{metadata: Object.metadata{labels: {"${name}": ${value}}}}`)

interface Case {
  readonly spec: Json
  readonly binding?: Json
  readonly object?: Json
  /** What becomes of data, labels and annotations. */
  readonly gives?: { data?: Json; labels?: Json; annotations?: Json }
  readonly denied?: RegExp
}
const cases: Readonly<Record<string, Case>> = {
  'an apply configuration is merged': {
    spec: { mutations: [apply('Object{data: {"b": "2"}}')] },
    object: { data: { a: '1' } },
    gives: { data: { a: '1', b: '2' } },
  },
  'a patch': {
    spec: { mutations: [patch('[JSONPatch{op: "replace", path: "/data/a", value: "2"}]')] },
    object: { data: { a: '1' } },
    gives: { data: { a: '2' } },
  },
  'a key that has to be escaped': {
    spec: {
      mutations: [
        patch('[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("x.io/y"), value: "z"}]'),
      ],
    },
    object: { metadata: { labels: { a: 'b' } } },
    gives: { labels: { a: 'b', 'x.io/y': 'z' } },
  },
  'a patch whose test fails changes nothing': {
    spec: {
      mutations: [
        patch('[JSONPatch{op: "test", path: "/data/a", value: "9"}, JSONPatch{op: "remove", path: "/data/a"}]'),
      ],
    },
    object: { data: { a: '1' } },
    gives: { data: { a: '1' } },
  },
  'changes see those before them, and variables': {
    spec: {
      variables: [{ name: 'count', expression: 'string(size(object.data))' }],
      mutations: [apply('Object{data: {"b": "2"}}'), label('count', 'variables.count')],
    },
    object: { data: { a: '1' } },
    gives: { data: { a: '1', b: '2' }, labels: { count: '2' } },
  },
  'conditions that do not hold': {
    spec: { matchConditions: [{ name: 'c', expression: 'has(object.data)' }], mutations: [label('a', '"b"')] },
    gives: {},
  },
  'a parameter': {
    spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, mutations: [label('from', 'params.data.value')] },
    binding: { paramRef: { name: 'param', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    gives: { labels: { from: 'there' } },
  },
  'entries that are optional': {
    spec: { mutations: [apply('Object{data: {?"x": object.?data[?"a"], ?"y": object.?data[?"none"]}}')] },
    object: { data: { a: '1' } },
    gives: { data: { a: '1', x: '1' } },
  },
  'a change that does not fit the type': {
    spec: { mutations: [apply('Object{nothing: 1}')] },
    denied: /policy '.*' with binding '.*' denied request: .*nothing/,
  },
  'a patch that does not fit the object': {
    spec: { mutations: [patch('[JSONPatch{op: "remove", path: "/data/none/x"}]')] },
    denied: /policy '.*' with binding '.*' denied request: /,
  },
  'a failure that is ignored': {
    spec: { failurePolicy: 'Ignore', mutations: [apply('Object{nothing: 1}')] },
    gives: {},
  },
  'changes after one that fails and is ignored': {
    spec: { failurePolicy: 'Ignore', mutations: [label('a', '"1"'), apply('Object{nothing: 1}'), label('b', '"2"')] },
    gives: { labels: { a: '1', b: '2' } },
  },
  'parameters that a selector finds, one after another': {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      mutations: [label('from-" + params.metadata.name + "', 'params.data.value')],
    },
    binding: {
      paramRef: { selector: { matchLabels: { for: 'all' } }, namespace: 'default', parameterNotFoundAction: 'Deny' },
    },
    gives: { labels: { 'from-p1': 'one', 'from-p2': 'two' } },
  },
  'a parameter that is missing': {
    spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, mutations: [label('a', '"b"')] },
    binding: { paramRef: { name: 'none', namespace: 'default', parameterNotFoundAction: 'Deny' } },
    denied: /no params found for policy binding with `Deny` parameterNotFoundAction/,
  },
  'a parameter that may be missing': {
    spec: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, mutations: [label('a', '"b"')] },
    binding: { paramRef: { name: 'none', namespace: 'default', parameterNotFoundAction: 'Allow' } },
    gives: {},
  },
  'a condition that cannot be evaluated': {
    spec: { matchConditions: [{ name: 'c', expression: 'object.data.none == "a"' }], mutations: [label('a', '"b"')] },
    object: { data: { a: '1' } },
    denied: /no such key: none/,
  },
  'a condition that cannot be evaluated, where failures are ignored': {
    spec: {
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'c', expression: 'object.data.none == "a"' }],
      mutations: [label('a', '"b"')],
    },
    object: { data: { a: '1' } },
    gives: { data: { a: '1' } },
  },
  'every operation of a patch': {
    spec: {
      mutations: [
        patch(
          `[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "copy", from: "/data/a", path: "/data/b"},
            JSONPatch{op: "move", from: "/data/a", path: "/data/c"}, JSONPatch{op: "add", path: "/metadata/labels", value: {"x": "y"}}]
           + (has(object.data.z) ? [JSONPatch{op: "remove", path: "/data/z"}] : [])`,
        ),
      ],
    },
    object: { data: { a: '1', z: '9' } },
    gives: { data: { b: '1', c: '1' }, labels: { x: 'y' } },
  },
  'loops with two variables make maps': {
    spec: { mutations: [apply('Object{data: object.data.transformMap(k, v, k.startsWith("n"), string(int(v) + 1))}')] },
    object: { data: { n1: '1', n2: '2', other: 'x' } },
    gives: { data: { n1: '2', n2: '3', other: 'x' } },
  },
  'a part under a wrong name': {
    spec: { mutations: [apply('Object{metadata: Object.spec{labels: {"a": "b"}}}')] },
    denied: /unexpected type name "Object.spec", expected "Object.metadata"/,
  },
  'what the user may do': {
    spec: { mutations: [label('admin', 'string(authorizer.group("").resource("nodes").check("delete").allowed())')] },
    gives: { labels: { admin: 'true' } },
  },
}
for (const [title, { spec, binding, object, gives, denied }] of Object.entries(cases))
  mutating(title, async () => {
    await world.change(spec, binding)
    const { status, json } = await world.tryConfigMap(object)
    if (denied) {
      assert.is(status, 403, JSON.stringify(json))
      assert.match(json.message, denied)
      return assert.is(json.details.causes.length, 1)
    }
    assert.is(status, 201, json.message)
    const { labels, annotations } = json.metadata
    const found = Object.entries({ data: json.data, labels, annotations }).filter(([, value]) => value !== undefined)
    assert.equal(Object.fromEntries(found), gives)
  })
mutating.before(async () => {
  await world.must('POST', '/api/v1/namespaces/default/configmaps', {
    metadata: { name: 'param' },
    data: { value: 'there' },
  })
  for (const [name, value] of [
    ['p1', 'one'],
    ['p2', 'two'],
  ] as const)
    await world.must('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name, labels: { for: 'all' } },
      data: { value },
    })
})

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'own', image: 'own:1' }] } },
  },
}
const tryDeployment = () => world.ask('POST', '/apis/apps/v1/namespaces/default/deployments?dryRun=All', deployment)

mutating('items of lists are merged by their keys, and defaults are filled in', async () => {
  const containers = 'Object.spec.template.spec.containers'
  await world.change({
    matchConstraints: rules('deployments'),
    mutations: [
      apply(
        `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [${containers}{name: "own", workingDir: "/x"}, ${containers}{name: "side", image: "side:1"}]}}}}`,
      ),
    ],
  })
  const { json, status } = await tryDeployment()
  assert.is(status, 201, json.message)
  const [own, side] = json.spec.template.spec.containers
  assert.equal([own.image, own.workingDir, own.imagePullPolicy], ['own:1', '/x', 'IfNotPresent'])
  assert.equal([side.name, side.image, side.imagePullPolicy], ['side', 'side:1', 'IfNotPresent'])
})

mutating('an atomic field cannot be changed in part', async () => {
  await world.change({
    matchConstraints: rules('deployments'),
    mutations: [apply('Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"x": "y"}}}}')],
  })
  const { json, status } = await tryDeployment()
  assert.is(status, 403)
  assert.match(json.message, /may not mutate atomic arrays, maps or structs: \.spec\.selector/)
})

mutating('is reinvoked after others changed the object, if its policy requires it', async () => {
  // By name: the first counts labels before the second adds one.
  const counting = [label('count', 'string(has(object.metadata.labels) ? size(object.metadata.labels) : 0)')]
  await world.change({ mutations: counting, reinvocationPolicy: 'Never' }, {}, 'a.never')
  await world.change({ mutations: [label('other', '"x"')] }, {}, 'b.other')
  const never = await world.tryConfigMap()
  assert.equal(never.json.metadata.labels, { count: '0', other: 'x' })
  await world.clear()
  await world.change({ mutations: counting, reinvocationPolicy: 'IfNeeded' }, {}, 'a.if-needed')
  await world.change({ mutations: [label('other', '"x"')] }, {}, 'b.other')
  const needed = await world.tryConfigMap()
  assert.equal(needed.json.metadata.labels, { count: '2', other: 'x' })
})

mutating('is reinvoked after its own change, too', async () => {
  const counting = [label('count', 'string(has(object.metadata.labels) ? size(object.metadata.labels) : 0)')]
  await world.change({ mutations: counting, reinvocationPolicy: 'IfNeeded' })
  assert.equal((await world.tryConfigMap()).json.metadata.labels, { count: '1' })
})

mutating('validating policies see the result of mutating ones', async () => {
  await world.change({ mutations: [label('team', '"a"')] })
  await world.bind({ validations: [{ expression: "object.metadata.labels.team == 'a'" }] })
  assert.is((await world.tryConfigMap()).status, 201)
})

mutating('is the same in both versions, and a change in either takes effect with the next request', async () => {
  const name = await world.change({ mutations: [label('team', '"a"')] })
  const older = `/apis/${group}/v1beta1/mutatingadmissionpolicies/${name}`
  const { json } = await world.must('GET', older)
  assert.is(json.apiVersion, `${group}/v1beta1`)
  assert.equal((await world.tryConfigMap()).json.metadata.labels, { team: 'a' })
  const changed = { ...json, spec: { ...json.spec, mutations: [label('team', '"b"')] } }
  assert.is((await world.must('PUT', older, changed)).json.metadata.generation, 2)
  assert.equal((await world.tryConfigMap()).json.metadata.labels, { team: 'b' })
  const newer = await world.must('GET', older.replace('v1beta1', 'v1'))
  assert.is(newer.json.apiVersion, `${group}/v1`)
  assert.equal(newer.json.spec, changed.spec)
})

mutating.run()
