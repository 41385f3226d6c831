import { ExpressionError, expressions } from 'orch/sdk/expressions'
import { startServer, takeService } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { expressionLanguage } from './plugin.js'

const taken = takeService(expressions, 'expressions')
const server = await startServer({ plugins: ['orch/plugins/namespaces', expressionLanguage, taken.plugin] })
const language = taken.get()
/** The message of the error; empty if there is none. */
const errorOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    error => {
      assert.instance(error, ExpressionError)
      return (error as Error).message
    },
  )

const service = suite('the language as a service')
service.after(() => server.stop())

const pod = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 63 },
    ports: { type: 'array', maxItems: 10, items: { type: 'integer' } },
  },
}

service('compiles over variables with schemas and evaluates JSON', async () => {
  const rule = await language.compile('pod.ports.all(p, p > limit) && pod.name.startsWith("a")', {
    variables: { pod, limit: { type: 'integer' }, unused: {} },
    result: 'bool',
  })
  assert.is(rule.uses('pod') && rule.uses('limit'), true)
  assert.is(rule.uses('unused'), false)
  const budget = { left: 1000 }
  assert.equal(rule.evaluate({ pod: { name: 'a', ports: [80, 443] }, limit: 79 }, budget), { value: true })
  assert.ok(budget.left < 1000 && budget.left > 0)
  assert.equal(rule.evaluate({ pod: { name: 'a', ports: [80] }, limit: 80 }, budget), { value: false })
  const missing = rule.evaluate({ pod: { name: 'a' }, limit: 80 }, budget)
  assert.ok('error' in missing)
})

service('returns JSON, with integers as numbers', async () => {
  const o = { a: 2, b: 'x', c: null }
  const resultOf = async (text: string) =>
    (await language.compile(text, { variables: { o: {} } })).evaluate({ o }, { left: 1000 })
  assert.equal(await resultOf('{"sum": o.a + 1, "size": size(o)}'), { value: { sum: 3, size: 3 } })
  assert.equal(await resultOf('[o.b, o["c"], o]'), { value: ['x', null, o] })
})

service('rejects invalid expressions, results of another type, and expressions that can cost too much', async () => {
  const over = (text: string, options = {}) => errorOf(language.compile(text, { variables: { pod }, ...options }))
  assert.match(await over('pod.'), /Syntax error/)
  assert.match(await over('pod.other == 1'), /undefined field 'other'/)
  assert.match(await over('pod.name', { result: 'bool' }), /must evaluate to a bool/)
  assert.match(await over('pod.ports.all(p, p > 1)', { maxCost: 5 }), /the limit is 5/)
  assert.is(await over('pod.ports.all(p, p > 1)'), '')
})

service('stops an expression that uses up its budget', async () => {
  const { evaluate } = await language.compile('list.all(i, list.all(j, i + j > 0))', {
    variables: { list: { type: 'array', items: { type: 'integer' }, maxItems: 1000 } },
    maxCost: Number.MAX_SAFE_INTEGER,
  })
  const budget = { left: 100 }
  const list = Array.from({ length: 1000 }, (_, i) => i + 1)
  assert.ok('error' in evaluate({ list }, budget))
  assert.is(budget.left, 0)
})

service.run()
