import { orchProfile, Vendor } from 'orch/sdk'
import { authorizerVariable, type Expression, ExpressionError, type ExpressionOptions } from 'orch/sdk/expressions'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { LiteralKind } from '../../libs/cel/index.js'
import { readSchema } from '../../libs/json-schema/index.js'
import { compileOver } from './compile-over.js'
import { schemaKeywords } from './service.js'

const keywords = schemaKeywords(new Vendor(orchProfile))
const asked: unknown[] = []
const values = {
  o: { spec: { replicas: 3, list: [1, 2.5, { x: 'y' }], 'a-b': 'c', namespace: 'n' }, none: null },
  a: {
    requestResource: { group: 'g', resource: 'r' },
    check(question: { verb: string }) {
      asked.push(question)
      return { decision: question.verb === 'get' ? 'allow' : 'deny', reason: 'because' } as const
    },
  },
}
function compile(text: string, options: Omit<ExpressionOptions, 'variables'> = {}): Expression {
  const schemas = {
    o: {},
    a: authorizerVariable,
    request: { type: 'object', properties: { namespace: { type: 'string' } } },
  }
  return compileOver(text, new Map(Object.entries(schemas).map(([k, s]) => [k, readSchema(s, keywords)])), options)
}
const outcome = (text: string, options?: Omit<ExpressionOptions, 'variables'>) =>
  compile(text, options).evaluate(values, { left: 10_000_000 })

const language = suite('the language of policies')

language('has a function that escapes keys of patches only in mutations', () => {
  const text = "jsonpatch.escapeKey('a/b~c')"
  assert.equal(outcome(text, { makesChanges: true }), { value: 'a~1b~0c' })
  assert.throws(() => compile(text), 'undeclared reference')
})

language('rejects empty names and invalid accounts in authorization checks', () => {
  const failing = {
    "a.path(' ').check('get').allowed()": /path must not be empty/,
    "a.group('').resource('').check('get').allowed()": /resource must not be empty/,
    "a.serviceAccount('not@valid', 'x').path('/x').check('get').allowed()": /Invalid service account namespace/,
    "a.serviceAccount('ns', 'Bad_').path('/x').check('get').allowed()": /Invalid service account name/,
  }
  for (const [text, why] of Object.entries(failing)) assert.match((outcome(text) as { error: string }).error, why)
})

language('checks literal patterns and formats when an expression is compiled, in versions that do', () => {
  const problemOf = (text: string, checksLiterals?: readonly LiteralKind[]): ExpressionError | undefined => {
    try {
      compileOver(text, new Map(), {}, checksLiterals ? { checksLiterals } : {})
      return undefined
    } catch (error) {
      return error as ExpressionError
    }
  }
  for (const text of ["'a'.find('[')", "'a'.findAll('(')"]) {
    assert.is(problemOf(text)?.isInternal, true, text)
    assert.is(problemOf(text, ['patterns']), undefined)
  }
  assert.is(problemOf("'a'.matches('[')")?.isInternal, false)
  const wrongFormats = {
    "'%d'.format(['x'])": /decimal clause can only be used on integers, was given string/,
    "'%s'.format([])": /index 0 out of range/,
    "'%z'.format([1])": /unrecognized formatting clause "z"/,
    "'%'.format([1])": /unexpected end of string/,
    "'a'.format([1])": /too many arguments/,
    "'%b'.format([1.5])": /formatted as binary/,
    "'%s'.format([[optional.of(1)]])": /string clause/,
  }
  for (const [text, why] of Object.entries(wrongFormats)) {
    assert.match(problemOf(text)!.message, why)
    assert.is(problemOf(text, ['patterns', 'searches']), undefined)
  }
  const right = ["'%d %s %% %.2f'.format([1, {'a': [1]}, 2.5])", "'%x'.format([dyn([1])])", "'%X'.format(['a'])"]
  for (const text of right) assert.is(problemOf(text), undefined, text)
})

const results: Readonly<Record<string, unknown>> = {
  'o.spec.replicas + 1': 4,
  'o.?spec.?replicas.orValue(1)': 3,
  'o.?foo.bar.baz.orValue(7)': 7,
  'o . ? foo.orValue(7)': 7,
  'o.spec.list[?5].orValue(9)': 9,
  'o.spec.list[?0].hasValue()': true,
  "o.?spec[?'a-b'].orValue('z')": 'c',
  '{?"a": o.?foo, ?"b": o.?spec.replicas, "c": dyn(true ? 1 : 2)}': { b: 3, c: 1 },
  '[?o.?foo, o.spec.replicas, ?o.?spec.list]': [3, [1, 2.5, { x: 'y' }]],
  'o.?spec.?replicas.optMap(r, r + 1).orValue(0)': 4,
  'o.?foo.optMap(r, r + 1).orValue(0)': 0,
  'o.?spec.optFlatMap(s, s.?replicas).value()': 3,
  'optional.none().or(optional.of(5)).value()': 5,
  'optional.ofNonZeroValue("").hasValue()': false,
  '"a?b" + \'.?c\' + r"[?": size(o) > 1 ? "x" : "y"': undefined,
  "'a?b' + '.?c'": 'a?b.?c',
  'o.spec.namespace': 'n',
  'o.missing || true': true,
  '[?o.spec.replicas] == [3] || true': true,
  "a.group('apps').resource('x').subresource('status').namespace('n').name('m').check('get').allowed()": true,
  "a.path('/x').check('put').allowed() || a.requestResource.check('put').errored()": false,
  "a.serviceAccount('n', 's').group('').resource('x').check('get').reason()": 'because',
  "quantity('1Gi').compareTo(quantity('1024Mi')) == 0 && quantity('500m').add(quantity('1')).sub(1).asApproximateFloat() == 0.5": true,
  "isQuantity('x') || quantity('1.5').isInteger()": false,
  "quantity('2k').asInteger()": 2000,
  "cidr('10.1.0.0/16').containsIP('10.1.2.3') && !cidr('10.1.0.0/16').containsCIDR('10.0.0.0/8')": true,
  "string(cidr('10.1.2.3/16').masked().prefixLength()) + string(ip('::1').family())": '166',
  "ip('127.0.0.1').isLoopback() && ip('8.8.8.8').isGlobalUnicast() && isIP('::') && !isCIDR('10.0.0.0') && ip.isCanonical('::1')": true,
  '[1, 2, 3].all(i, v, v == i + 1) && {"a": 1}.all(k, v, k == "a" && v == 1)': true,
  '["a", "b"].exists(i, v, i == 1 && v == "b") && !{"a": 1}.exists(k, v, v == 2)': true,
  '[1, 1, 2].existsOne(i, v, v == 2) && ![1, 1].exists_one(i, v, v == 1)': true,
  '["a", "b"].transformList(i, v, string(i) + v)': ['0a', '1b'],
  '["a", "b"].transformList(i, v, i > 0, v)': ['b'],
  '{"a": 1, "b": 2}.transformMap(k, v, v * 10)': { a: 10, b: 20 },
  '{"a": 1, "b": 2}.transformMap(k, v, k == "b", v)': { b: 2 },
  '["x", "y"].transformMap(i, v, i == 1, v).map(k, string(k))': ['1'],
  '["x", "y"].transformMapEntry(i, v, {v: i})': { x: 0, y: 1 },
  '{"a": 1}.transformMapEntry(k, v, v > 0, {k + k: v})': { aa: 1 },
  'o.spec.list.transformList(i, v, i < 2, v)': [1, 2.5],
  'o.spec.transformMap(k, v, k.startsWith("rep"), v)': { replicas: 3 },
  '[0, 2].all(i, v, 1 / v > 0)': false,
  '[0, 1].exists(i, v, 1 / v > 0)': true,
}
for (const [text, value] of Object.entries(results))
  language(text, () => {
    if (value === undefined)
      return assert.throws(
        () => compile(text),
        (error: Error) => error instanceof ExpressionError,
      )
    assert.equal(outcome(text), { value })
  })

language('authorization checks are passed on unchanged', () => {
  asked.length = 0
  outcome("a.requestResource.subresource('status').check('list').allowed()")
  assert.equal(asked, [{ group: 'g', resource: 'r', subresource: 'status', verb: 'list' }])
})

const mistakes: Readonly<Record<string, RegExp>> = {
  'o.x == nothing':
    /^ERROR: <input>:1:8: undeclared reference to 'nothing' \(in container ''\)\n \| o.x == nothing\n \| \.{7}\^$/,
  'a.allowed()': /found no matching overload for 'allowed'/,
  'request.name': /undefined field 'name'/,
  '{?"a": 1}': /expected type 'optional_type\(int\)' but found 'int'/,
  'package.a': /reserved identifier: package/,
  'Object{}': /undeclared reference to 'Object'/,
  'o.optMap(1, 2)': /argument must be a simple name/,
  '[1].all(i, 2, true)': /argument must be a simple name/,
  '[1].transformMap(v, v, true)': /duplicate variable name: v/,
  '[1].transformMap(i, v, v, v)': /found no matching overload for '_\?_:_' applied to '\(int, map/,
  '{"a": 1}.all(k, v, k > v)': /found no matching overload for '_>_' applied to '\(string, int\)'/,
  '[1].all(i, v)': /undeclared reference to 'v'/,
}
for (const [text, message] of Object.entries(mistakes))
  language(`rejects ${text} with a clear error`, () => {
    assert.throws(
      () => compile(text),
      (error: Error) => error instanceof ExpressionError && message.test(error.message),
    )
  })

language('reserved words can be names of fields', () => {
  const { evaluate } = compile('request.namespace + request.__namespace__')
  assert.equal(evaluate({ request: { namespace: 'n' } }, { left: 1000 }), { value: 'nn' })
})

language('composed variables are evaluated once, and only when they are used', () => {
  const v = compile("a.path('/count').check('get').allowed() ? o.spec.replicas : 0")
  const w = compile('variables.v * 2', { composed: { name: 'variables', fields: { v } } })
  const fields = { v, w, broken: compile('o.nope') }
  const sum = compile('variables.w + variables.v + variables.v', { composed: { name: 'variables', fields } })
  const same = { ...values }
  asked.length = 0
  assert.equal(sum.evaluate(same, { left: 1_000_000 }), { value: 12 })
  assert.equal(w.evaluate(same, { left: 1_000_000 }), { value: 6 })
  assert.is(asked.length, 1)
  const lenient = compile('true || variables.broken', { composed: { name: 'variables', fields } })
  assert.equal(lenient.evaluate(same, { left: 1000 }), { value: true })
  const strict = compile('variables.broken == 1', { composed: { name: 'variables', fields } })
  const error = 'composited variable "broken" fails to evaluate: no such key: nope'
  assert.equal(strict.evaluate(same, { left: 1000 }), { error })
})

language('changes of objects', () => {
  const change = { makesChanges: true, result: 'Object' } as const
  assert.equal(outcome('Object{spec: Object.spec{replicas: o.spec.replicas + 1, ?x: o.?foo}}', change), {
    value: { spec: { replicas: 4 } },
  })
  const misplaced = outcome('Object{spec: [Object.other{a: 1}]}', change)
  assert.match(
    'error' in misplaced ? misplaced.error : '',
    /unexpected type name "Object.other", expected "Object.spec"/,
  )
  const patch = { makesChanges: true, result: 'list(JSONPatch)' } as const
  assert.equal(outcome('[JSONPatch{op: "add", path: "/a", value: Object.x{y: 1}}]', patch), {
    value: [{ op: 'add', path: '/a', value: { y: 1 } }],
  })
  const wrongPart = outcome('[JSONPatch{op: "add", path: "/a", value: Object.x{y: Object.z{}}}]', patch)
  assert.match('error' in wrongPart ? wrongPart.error : '', /unexpected type name "Object.z", expected "Object.x.y"/)
  assert.throws(() => compile('[JSONPatch{op: 1}]', patch), /expected type of field 'op' is 'string'/)
  assert.throws(() => compile('1', { result: ['string', 'null'] }), /must evaluate to one of string, null, not to int/)
})

language('duplicate keys in transformMapEntry are an error', () => {
  const twice = outcome('["x", "x"].transformMapEntry(i, v, {v: i})')
  assert.match('error' in twice ? twice.error : '', /key x already exists/)
})

language('loops with two variables cost as others do', () => {
  const many = { ...values, o: Array.from({ length: 1000 }, (_, i) => i) }
  const cost = (text: string) => {
    const budget = { left: 1_000_000 }
    return { outcome: compile(text).evaluate(many, budget), spent: 1_000_000 - budget.left }
  }
  assert.ok(cost('o.all(i, v, v >= 0)').spent > 3000)
  assert.ok(Math.abs(cost('o.all(i, v, v >= 0)').spent - cost('o.all(v, v >= 0)').spent) < 10)
  const pairs = cost('o.all(i, v, o.all(j, w, v >= 0 && w >= 0))').outcome
  assert.ok('error' in pairs && pairs.error.includes('cost'))
})

language('an authorization check is expensive', () => {
  const budget = { left: 1_000_000 }
  assert.ok('value' in compile("a.path('/').check('get').allowed()").evaluate(values, budget))
  assert.ok(budget.left < 651_000)
})

language.run()
