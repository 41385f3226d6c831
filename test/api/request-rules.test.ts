import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { widgetGroup } from './widgets.js'
import { type Answer, type ServerUnderTest, withServer } from './with-server.js'

/** Rules for requests to any type, tested against one shared server. */

const merge = { 'content-type': 'application/merge-patch+json' }
const strategic = { 'content-type': 'application/strategic-merge-patch+json' }
const operations = { 'content-type': 'application/json-patch+json' }
const yaml = { 'content-type': 'application/yaml' }
const apply = { 'content-type': 'application/apply-patch+yaml' }
const appliedTwice = `apiVersion: ${widgetGroup}/v1\nkind: Widget\nmetadata:\n  name: once\nspec:\n  color: red\n  color: red\n`
const widget = (name: string, metadata: object = {}) => ({ metadata: { name, ...metadata }, spec: { color: 'red' } })

interface Case {
  /** Method, path below the collection, body, headers. */
  readonly ask: [method: string, below: string, body?: unknown, headers?: Record<string, string>]
  readonly status: number
  /** The fields of all causes, including repeated ones. */
  readonly causes?: string[]
  readonly check?: (answer: Answer) => void
}

const cases: Record<string, Case> = {
  'a create must not have a version': {
    ask: ['POST', '', widget('new', { resourceVersion: '5' })],
    status: 400,
  },
  'version 0 is any version in an update': {
    ask: ['PUT', '/a', widget('a', { resourceVersion: '0' })],
    status: 200,
  },
  'a version that is not a number is rejected in an update': {
    ask: ['PUT', '/a', widget('a', { resourceVersion: 'x' })],
    status: 400,
  },
  'a client cannot set the generation': {
    ask: ['PUT', '/a', widget('a', { generation: 7 })],
    status: 200,
    check: ({ json }) => assert.is(json.metadata['generation'], 1),
  },
  'the query of a deletion may have preconditions': { ask: ['DELETE', '/a?uid=other'], status: 409 },
  'a watch with an expired timeout ends immediately': {
    ask: ['GET', '?watch=1&timeoutSeconds=-1&labelSelector=nobody'],
    status: 200,
  },
  'the namespace may be left out of a patched object': {
    ask: ['PATCH', '/a', { metadata: { namespace: null } }, merge],
    status: 200,
  },
  'a missing object is reported before an invalid patch': { ask: ['PATCH', '/none', '{', merge], status: 404 },
  'a name with a percent sign is not found': { ask: ['DELETE', '/a%25b'], status: 400 },
  'a merge patch that is a list is rejected': {
    ask: ['PATCH', '/a', '[]', merge],
    status: 422,
    causes: ['patch'],
  },
  'a merge patch that is a number is rejected': { ask: ['PATCH', '/a', '5', merge], status: 400 },
  'a merge patch that is null is rejected': { ask: ['PATCH', '/a', 'null', merge], status: 400 },
  'a strategic patch that is a list is rejected': { ask: ['PATCH', '/a', '[]', strategic], status: 400 },
  'a JSON patch that is null is rejected': { ask: ['PATCH', '/a', 'null', operations], status: 400 },
  'all errors in the options of a patch are reported together': {
    ask: ['PATCH', '/a?force=true&dryRun=Some&fieldValidation=Odd', {}, merge],
    status: 422,
    causes: ['force', 'dryRun', 'fieldValidation'],
  },
  'a strict patch must not repeat fields': {
    ask: ['PATCH', '/a?fieldValidation=Strict', '{"spec":{"color":"red","color":"red"}}', merge],
    status: 422,
    causes: ['patch'],
  },
  'a strict strategic patch must not have unknown fields': {
    ask: ['PATCH', '/a?fieldValidation=Strict', { spec: { odd: 1 } }, strategic],
    status: 422,
    causes: ['patch'],
  },
  'a strict JSON patch must not have unknown fields in operations': {
    ask: ['PATCH', '/a?fieldValidation=Strict', [{ op: 'test', path: '/kind', value: 'Widget', odd: 1 }], operations],
    status: 422,
    causes: ['patch'],
  },
  'a patch with repeated and unknown fields gets warnings': {
    ask: ['PATCH', '/a?fieldValidation=Warn', '{"spec":{"color":"red","color":"red","odd":1}}', merge],
    status: 200,
    check: ({ headers }) =>
      assert.is(
        headers.get('warning'),
        '299 - "duplicate field \\"spec.color\\"", 299 - "unknown field \\"spec.odd\\""',
      ),
  },
  'strict YAML must not repeat keys': {
    ask: ['POST', '?fieldValidation=Strict', 'metadata:\n  name: once\n  name: once\n', yaml],
    status: 400,
    check: ({ text }) => assert.match(text, 'line 3'),
  },
  'a strict apply must not repeat keys': {
    ask: ['PATCH', '/once?fieldManager=m&fieldValidation=Strict', appliedTwice, apply],
    status: 400,
  },
  'an apply may repeat keys without strict validation': {
    ask: ['PATCH', '/once?fieldManager=m&dryRun=All', appliedTwice, apply],
    status: 201,
  },
  'all errors in a body are reported together, and each unknown field once': {
    ask: ['POST', '?fieldValidation=Strict', '{"metadata":{"name":"y","name":"y"},"odd":1,"odd":{"x":1,"x":1}}'],
    status: 400,
    check: ({ json }) =>
      assert.is(json['message'], 'strict decoding error: duplicate field "metadata.name", unknown field "odd"'),
  },
  'an empty number is rejected': { ask: ['GET', '?limit='], status: 400 },
  'a number of more than 64 bits is rejected': { ask: ['GET', '?limit=9999999999999999999'], status: 400 },
  'the largest version is a future version': {
    ask: ['PUT', '/a', widget('a', { resourceVersion: '18446744073709551615' })],
    status: 409,
  },
  'a version of more than 64 bits is invalid': { ask: ['GET', '/a?resourceVersion=18446744073709551616'], status: 400 },
  'a list of one name is not paged': {
    ask: ['GET', '?limit=1&fieldSelector=metadata.name%3Da'],
    status: 200,
    check: ({ json }) => {
      assert.equal(
        json.items.map(item => item.metadata['name']),
        ['a'],
      )
      assert.is(json.metadata['continue'], undefined)
    },
  },
  'a watch must not have resourceVersionMatch': {
    ask: ['GET', '?watch=1&resourceVersion=1&resourceVersionMatch=Exact'],
    status: 422,
    // It requires sendInitialEvents, and only NotOlderThan is allowed for a watch.
    causes: ['resourceVersionMatch', 'resourceVersionMatch'],
  },
  'numeric parameters of a watch must be numbers': { ask: ['GET', '?watch=1&limit=many'], status: 400 },
  'False is false': { ask: ['GET', '?watch=False'], status: 200, check: ({ json }) => assert.is(json.items.length, 2) },
  'events cannot be watched as YAML': {
    ask: ['GET', '?watch=1', undefined, { accept: 'application/yaml' }],
    status: 406,
  },
  'a list cannot be requested as a single object': {
    ask: ['GET', '', undefined, { accept: 'application/json;as=PartialObjectMetadata;g=meta.orch.io;v=v1' }],
    status: 406,
  },
  'a single object cannot be requested as a list': {
    ask: ['GET', '/a', undefined, { accept: 'application/json;as=PartialObjectMetadataList;g=meta.orch.io;v=v1' }],
    status: 406,
  },
  'indented JSON can be requested with a parameter of the media type': {
    ask: ['GET', '/a', undefined, { accept: 'application/json;pretty=1' }],
    status: 200,
    check: ({ text }) => assert.match(text, /^\{\n {2}"kind"/),
  },
  'a client that accepts no available media type gets a readable error': {
    ask: ['GET', '/a', undefined, { accept: 'application/x-unserved' }],
    status: 406,
    check: ({ text }) => assert.match(text, /^\{\n {2}"kind"/),
  },
  'an empty policy is ignored': {
    ask: ['DELETE', '/a?propagationPolicy='],
    status: 422,
    causes: ['propagationPolicy'],
  },
  'finalizers keep their order if the policy is already in effect': {
    ask: ['DELETE', '/held?dryRun=All&propagationPolicy=Orphan'],
    status: 200,
    check: ({ json }) => assert.equal(json.metadata['finalizers'], ['orphan', 'widgets.test/hold']),
  },
  'the media type of a deletion is checked only with a body': {
    ask: ['DELETE', '/b', undefined, { 'content-type': 'text/plain' }],
    status: 200,
  },
}

const rules = suite('rules of requests')

rules('hold for every type', () =>
  withServer({}, async server => {
    const { ask, path } = server
    await ask('POST', path, widget('a'))
    await ask('POST', path, widget('b'))
    const failures: string[] = []
    for (const [title, each] of Object.entries(cases)) {
      if (title.startsWith('finalizers')) {
        await ask('POST', path, widget('held', { finalizers: ['orphan', 'widgets.test/hold'] }))
      }
      await check(server, each).catch(error => failures.push(`${title}: ${(error as Error).message}`))
    }
    assert.equal(failures, [])
  }),
)

async function check({ ask, path }: ServerUnderTest, { ask: asked, status, causes, check }: Case): Promise<void> {
  const [method, below, body, headers] = asked
  const answer = await ask(method, path + below, body, headers)
  assert.is(answer.status, status, answer.text)
  const { details } = answer.json as { details?: { causes?: { field: string }[] } }
  if (causes)
    assert.equal(
      details?.causes?.map(({ field }) => field),
      causes,
    )
  check?.(answer)
}

rules('discovery answers HEAD only above group versions, only exact paths, and YAML without aliases', () =>
  withServer({}, async ({ ask }) => {
    assert.is((await ask('HEAD', '/apis')).status, 200)
    assert.is((await ask('HEAD', '/apis/widgets.test')).status, 200)
    assert.is((await ask('HEAD', '/apis/widgets.test/v1')).status, 405)
    assert.is((await ask('GET', '/livez/')).status, 404)
    assert.is((await ask('GET', '/apis//widgets.test')).status, 404)
    assert.match((await ask('GET', '/version', undefined, { accept: 'application/yaml' })).text, /^\{\n/)
    assert.match((await ask('GET', '/version')).text, /^\{\n/)
    const groups = await ask('GET', '/apis', undefined, { accept: 'application/yaml' })
    assert.not.match(groups.text, /[&*]a1/)
  }),
)

rules('an object that is too large with managedFields is stored without them, unless it was applied', () =>
  withServer({ options: { maxRequestBodyBytes: 20_000 } }, async ({ ask, path }) => {
    const notes = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${'k'.repeat(50)}${index}`, '']))
    const large = { ...widget('large'), spec: { notes } }
    const made = await ask('POST', path, large)
    assert.is(made.status, 201, made.text)
    assert.is(made.json.metadata['managedFields'], undefined)
    const whole = { apiVersion: `${widgetGroup}/v1`, kind: 'Widget', ...large }
    assert.is((await ask('PATCH', `${path}/large?fieldManager=m`, whole, apply)).status, 413)
  }),
)

rules.run()
