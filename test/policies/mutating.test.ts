import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { PolicyWorld, rules } from './policy-world.js'

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

mutating('what is one unit cannot be changed in part', async () => {
  await world.change({
    matchConstraints: rules('deployments'),
    mutations: [apply('Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {"x": "y"}}}}')],
  })
  const { json, status } = await tryDeployment()
  assert.is(status, 403)
  assert.match(json.message, /may not mutate atomic arrays, maps or structs: \.spec\.selector/)
})

mutating('is asked again after others changed the object, where it says so', async () => {
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

mutating('validating policies see what mutating ones made', async () => {
  await world.change({ mutations: [label('team', '"a"')] })
  await world.bind({ validations: [{ expression: "object.metadata.labels.team == 'a'" }] })
  assert.is((await world.tryConfigMap()).status, 201)
})

mutating.run()
