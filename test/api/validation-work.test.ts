import { customResources } from 'orch/plugins/custom-resources'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ClientThread, type ThreadAnswer } from '../support/client-thread.js'
import { watchEventLoop } from '../support/event-loop-holds.js'

/** No work on a definition or an object may hold the event loop longer, in CPU time. */
const longestHoldMs = 200

/** Less than by default, so that it is used up soon. */
const maxValidationWork = 100_000_000
const server = await startServer({
  vendor: 'kubernetes',
  plugins: ['orch/plugins/namespaces', 'orch/plugins/webhooks', customResources({ maxValidationWork })],
})
const client = new ClientThread(server)
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

const definition = (plural: string, spec: object) => ({
  metadata: { name: `${plural}.work.test` },
  spec: {
    group: 'work.test',
    scope: 'Cluster',
    names: { plural, kind: plural[0]!.toUpperCase() + plural.slice(1) },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object' } } } },
      },
    ],
  },
})
const object = (plural: string, spec: unknown) => ({
  apiVersion: 'work.test/v1',
  kind: plural[0]!.toUpperCase() + plural.slice(1),
  metadata: { name: 'x' },
  spec,
})
interface Cause {
  readonly reason: string
  readonly field: string
  readonly message: string
}
const causesOf = ({ text }: ThreadAnswer): readonly Cause[] => JSON.parse(text).details?.causes ?? []

/** The response, and how long the event loop was held. */
async function measured(run: () => Promise<ThreadAnswer>): Promise<ThreadAnswer & { readonly holdMs: number }> {
  const stop = watchEventLoop()
  const answer = await run()
  return { ...answer, holdMs: stop().longestMs }
}
const define = (plural: string, spec: object) =>
  measured(() => client.ask('POST', definitions, definition(plural, spec)))
const create = (plural: string, spec: unknown) =>
  measured(() => client.ask('POST', `/apis/work.test/v1/${plural}`, object(plural, spec)))
async function untilServed(plural: string): Promise<void> {
  const end = Date.now() + 60_000
  while ((await client.ask('GET', `/apis/work.test/v1/${plural}`)).status !== 200)
    assert.ok(Date.now() < end, 'the type is served in time')
}
const isShort = ({ holdMs, text }: { holdMs: number; text: string }) =>
  assert.ok(holdMs < longestHoldMs, `the event loop was held for ${holdMs} ms: ${text.slice(0, 300)}`)

const work = suite('the work of a validation')
work.after(async () => {
  await client.close()
  await server.stop()
})

const open = { type: 'object', additionalProperties: { type: 'string' } }
/** Schemas that could cost too much, and the field that causes it. */
const refused: Readonly<Record<string, { spec: object; field: string }>> = {
  'a large pattern over texts of any length': {
    spec: { ...open, additionalProperties: { type: 'string', pattern: '^(.*a){900}$' } },
    field: 'additionalProperties.pattern',
  },
  'a pattern that is too large to compile': {
    spec: { type: 'object', properties: { s: { type: 'string', maxLength: 1, pattern: `(${'a'.repeat(900)}){900}` } } },
    field: 'properties[s].pattern',
  },
  'thousands of branches for every item': {
    spec: {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'integer', anyOf: Array.from({ length: 3000 }, (_, at) => ({ minimum: at, maximum: at })) },
        },
      },
    },
    field: 'properties[list].items.anyOf',
  },
  'branches inside branches': {
    spec: {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: {
            type: 'integer',
            oneOf: Array.from({ length: 50 }, (_, at) => ({
              allOf: Array.from({ length: 50 }, (_, inner) => ({ multipleOf: 1 + at * 50 + inner })),
            })),
          },
        },
      },
    },
    field: 'properties[list].items.oneOf',
  },
}
for (const [title, { spec, field }] of Object.entries(refused))
  work(`a definition is refused for ${title}`, async () => {
    const answer = await define('refusals', spec)
    isShort(answer)
    assert.is(answer.status, 422, answer.text.slice(0, 500))
    const [cause] = causesOf(answer)
    assert.is(cause?.field, `spec.validation.openAPIV3Schema.properties[spec].${field}`)
    assert.match(cause?.message ?? '', /max-validation-work|instructions/)
  })

/** Schemas within the limit, with expensive objects: those beyond the budget are rejected, others are validated as usual. */
const judged: Readonly<Record<string, { spec: object; value: () => unknown; status: number; field?: string }>> = {
  'a pattern over a long text, beyond the budget': {
    spec: { type: 'object', properties: { s: { type: 'string', pattern: '^(.*a){50}$' } } },
    value: () => ({ s: 'ab'.repeat(500_000) }),
    status: 422,
    field: 'spec.s',
  },
  'a pattern over a long text, within the budget': {
    spec: { type: 'object', properties: { s: { type: 'string', pattern: '^[a-z]+$' } } },
    value: () => ({ s: 'ab'.repeat(700_000) }),
    status: 201,
  },
  'branches times items, beyond the budget': {
    spec: {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          maxItems: 20_000,
          items: { type: 'integer', anyOf: Array.from({ length: 400 }, (_, at) => ({ minimum: at, maximum: at })) },
        },
      },
    },
    value: () => ({ list: new Array(15_000).fill(-1) }),
    status: 422,
    field: 'spec.list[0]',
  },
  'branches times items, within the budget': {
    spec: {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'integer', oneOf: Array.from({ length: 12 }, (_, at) => ({ minimum: at, maximum: at })) },
        },
      },
    },
    value: () => ({ list: new Array(15_000).fill(2) }),
    status: 201,
  },
  'a large enum that no item is one of': {
    spec: {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'string', enum: Array.from({ length: 5000 }, (_, at) => `e${at}`) } },
      },
    },
    value: () => ({ list: new Array(15_000).fill('none') }),
    status: 422,
    field: 'spec.list[0]',
  },
  'thousands of required fields for every item': {
    spec: {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'object', required: Array.from({ length: 500 }, (_, at) => `f${at}`) },
        },
      },
    },
    value: () => ({ list: new Array(15_000).fill({}) }),
    status: 422,
    field: 'spec.list[0].f0',
  },
  'defaults of thousands of fields, once': {
    spec: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 15_000 }, (_, at) => [`field${at}`, { type: 'string', default: 'some text' }]),
      ),
    },
    value: () => ({}),
    status: 201,
  },
  'a set of long items': {
    spec: {
      type: 'object',
      properties: { set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } },
    },
    value: () => ({ set: Array.from({ length: 15_000 }, (_, at) => `${at}${'x'.repeat(60)}`) }),
    status: 201,
  },
}
for (const [index, [title, { spec, value, status, field }]] of Object.entries(judged).entries())
  work(`an object is validated off the event loop: ${title}`, async () => {
    const plural = `judged${'abcdefghijklmnop'[index]}s`
    const defined = await define(plural, spec)
    isShort(defined)
    assert.is(defined.status, 201, defined.text.slice(0, 500))
    await untilServed(plural)
    for (const _ of ['first', 'second']) {
      const answer = await create(plural, value())
      isShort(answer)
      assert.ok(answer.status === status || answer.status === 409, `${answer.status}: ${answer.text.slice(0, 500)}`)
      if (field !== undefined)
        assert.ok(
          causesOf(answer).some(cause => cause.field === field),
          answer.text.slice(0, 500),
        )
    }
  })

work('defaults times items are rejected by the resulting size', async () => {
  const fields = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [`field${at}`, { type: 'string', default: 'some text' }]),
  )
  const spec = {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'object', properties: fields } } },
  }
  assert.is((await define('defaulteds', spec)).status, 201)
  await untilServed('defaulteds')
  const answer = await create('defaulteds', { list: new Array(15_000).fill({}) })
  isShort(answer)
  assert.is(answer.status, 413)
  assert.match(answer.text, /spec\.list\[\d+\]\.field\d+: the defaults/)
})

for (const [title, nest] of Object.entries({
  properties: (inner: object) => ({ type: 'object', properties: { a: inner } }),
  items: (inner: object) => ({ type: 'array', items: inner }),
  additionalProperties: (inner: object) => ({ type: 'object', additionalProperties: inner }),
  allOf: (inner: object) => ({ allOf: [inner] }),
  not: (inner: object) => ({ not: inner }),
}))
  work(`a schema that nests thousands of ${title} is rejected without a server error`, async () => {
    for (const depth of [2000, 4500]) {
      let text = JSON.stringify(definition('deeps', { type: 'object' }))
      const [before = '', after = ''] = JSON.stringify(nest({ mark: 1 })).split('{"mark":1}')
      const nested = `${before.repeat(depth)}{"type":"string"}${after.repeat(depth)}`
      text = text.replace('"spec":{"type":"object"}', () => `"spec":${nested}`)
      const answer = await measured(() => client.ask('POST', definitions, text))
      isShort(answer)
      assert.ok([400, 422].includes(answer.status), `${depth}: ${answer.status} ${answer.text.slice(0, 300)}`)
      assert.match(answer.text, /nest|max depth/)
    }
  })

work(
  'thousands of rules of one definition are compiled off the event loop, and in slices for the first object',
  async () => {
    const rules = Array.from({ length: 5000 }, (_, at) => ({ rule: `self.n < ${at + 10}` }))
    const spec = { type: 'object', properties: { n: { type: 'integer' } }, 'x-kubernetes-validations': rules }
    const defined = await define('ruleds', spec)
    isShort(defined)
    assert.is(defined.status, 201, defined.text.slice(0, 500))
    await untilServed('ruleds')
    const answer = await create('ruleds', { n: 9 })
    isShort(answer)
    assert.is(answer.status, 201, answer.text.slice(0, 500))
    const broken = await create('ruleds', { n: 12 })
    isShort(broken)
    assert.is(causesOf(broken).length, 3, broken.text.slice(0, 500))
  },
)

work.run()
