import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ArrayList, CelError, intType, listType, type Type, Work } from '../../../libs/cel/index.js'
import { readSchema } from '../../../libs/json-schema/index.js'
import { compileExpression } from '../../../libs/schema-cel/index.js'
import { customResourceNames } from '../names.js'
import { finish } from '../schemas/turns.js'
import { allEstimates, type Estimates } from './estimates.js'
import { languageOfStoredRules } from './language.js'
import { compileRunRules } from './run-rules.js'
import { validateRuleTexts } from './validate-rule-texts.js'
import { validateRules } from './validate-rules.js'

const { keywords } = customResourceNames(new Vendor(kubernetesProfile))
const outcomeOf = (text: string, variables: Record<string, [Type, unknown]> = {}) => {
  const types = new Map(Object.entries(variables).map(([name, [type]]) => [name, type]))
  const values = Object.fromEntries(Object.entries(variables).map(([name, [, value]]) => [name, value]))
  return compileExpression(text, { variables: types }).run(values, new Work({ cost: 1_000_000 }))
}

const language = suite('expressions')

const truths = [
  '1 + 2 * 3 == 7 && "a" + "b" == "ab"',
  '[1, 2, 3].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 2, 2].exists_one(x, x == 1)',
  '[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6]',
  '{"a": 1}.a == 1 && has({"a": 1}.a) && "a" in {"a": 1}',
  'timestamp("2020-01-01T00:00:00Z") < timestamp("2021-01-01T00:00:00Z") && duration("5m") < duration("1h")',
  'type(1) == int && type("a") == string',
  '[1, 2].sum() == 3 && [3, 1].min() == 1 && [3, 1].max() == 3 && [1, 2].isSorted() && !["b", "a"].isSorted()',
  '["a", "b", "a"].indexOf("a") == 0 && ["a", "b", "a"].lastIndexOf("a") == 2',
  '"abc 123".find("[0-9]+") == "123" && "1 22 3".findAll("[0-9]+") == ["1", "22", "3"] && "1 2".findAll("[0-9]", 1) == ["1"]',
  'url("https://user@example.com:80/a%20b?k=v&k=w").getHost() == "example.com:80"',
  'url("https://example.com/a%20b?k=v&k=w").getEscapedPath() == "/a%20b" && isURL("https://example.com") && !isURL("no")',
  'url("https://example.com:80/").getPort() == "80" && url("https://[::1]:80/").getHostname() == "::1"',
  'url("https://example.com/?k=v&k=w").getQuery()["k"] == ["v", "w"] && url("/path").getScheme() == ""',
  '"a,b".split(",") == ["a", "b"] && " a ".trim() == "a" && "A".lowerAscii() == "a" && "abc".substring(1) == "bc"',
  '"aaa".matches("^a+$") && "hello".contains("ell") && "hello".startsWith("he")',
]
for (const text of truths)
  language(`${text} is true`, () => {
    assert.equal(outcomeOf(text), { value: true })
  })

const nonsense = ['1 +', 'x == 1', '1 + "a"', '1 == "a"', 'bogus(1)', '1.all(x, true)', '[1, "a"]', '"a".size', '']
for (const text of nonsense)
  language(`${JSON.stringify(text)} does not compile`, () => {
    assert.throws(
      () => compileExpression(text, { variables: new Map() }),
      (error: unknown) => error instanceof CelError,
    )
  })

language('a failure at run time is returned as an error', () => {
  assert.ok('error' in outcomeOf('x[5] == 1', { x: [listType(intType), new ArrayList([1n])] }))
  assert.ok('error' in outcomeOf('1 / x == 1', { x: [intType, 0n] }))
})

language('the cost of an evaluation is limited, even if an operator ignores the error', () => {
  const many = Array.from({ length: 1000 }, (_, i) => BigInt(i))
  const outcome = outcomeOf('x.all(a, x.all(b, x.all(c, c >= 0))) || true', {
    x: [listType(intType), new ArrayList(many)],
  })
  assert.ok('error' in outcome && outcome.error.includes('cost'))
})

language.run()

const rules = suite('rules of schemas')
const all = languageOfStoredRules({ untypedHidden: true })
const schemaOf = (spec: Record<string, unknown>, expressions: readonly string[]) =>
  readSchema(
    { type: 'object', properties: { spec: { ...spec, [keywords.validations]: expressions.map(rule => ({ rule })) } } },
    keywords,
  )
const told = (schema: ReturnType<typeof schemaOf>) =>
  finish(validateRules(schema, 'schema', { keywords, language: all })).map(
    ({ type, field }) => `${type.replace('FieldValue', '')} ${field}`,
  )

rules('are compiled against the types of the schema, with reserved names escaped', () => {
  const fields = {
    type: 'object',
    properties: { namespace: { type: 'string' }, 'a-b': { type: 'integer' }, 'x.y/z': { type: 'integer' } },
  }
  assert.equal(
    told(schemaOf(fields, ['self.__namespace__ == "a" && self.a__dash__b > 0 && self.x__dot__y__slash__z > 0'])),
    [],
  )
  assert.equal(told(schemaOf(fields, ['self.none == 1', 'self.a__dash__b'])), [
    'Invalid schema.properties[spec].x-kubernetes-validations[0].rule',
    'Invalid schema.properties[spec].x-kubernetes-validations[1].rule',
  ])
})

rules('have cost estimates that depend on the version', () => {
  const text = { type: 'string', maxLength: 10 }
  const object = (properties: Record<string, unknown>, rule: string) =>
    readSchema({ type: 'object', properties, [keywords.validations]: [{ rule }] }, keywords)
  const isAccepted = (schema: ReturnType<typeof readSchema>, estimates: Partial<Estimates>) => {
    const stored = languageOfStoredRules({ untypedHidden: true })
    const known = { ...stored, estimates: { ...allEstimates, ...estimates } }
    return finish(validateRules(schema, 'schema', { keywords, language: known })).length === 0
  }
  const list = { type: 'array', items: { type: 'integer' }, maxItems: 10 }
  const byRule: [keyof Estimates, ReturnType<typeof readSchema>][] = [
    ['resultSizes', object({ s: text }, 'self.s.split(",").all(x, x != "")')],
    ['loopSizes', object({ l: list }, 'self.l.map(x, x * 2).all(x, x > 0)')],
    ['enumSizes', object({ e: { type: 'string', enum: ['a'] } }, `self.e.matches("${'a'.repeat(200)}")`)],
  ]
  for (const [rule, schema] of byRule) {
    assert.is(isAccepted(schema, {}), true, rule)
    assert.is(isAccepted(schema, { [rule]: false }), false, rule)
  }
})

rules('that could cost too much are rejected, unless the schema limits the sizes', () => {
  const list = (maxItems: object) => ({ type: 'array', ...maxItems, items: { type: 'string' } })
  const everyPair = ['self.all(a, self.all(b, a == b))']
  assert.equal(told(schemaOf(list({}), everyPair)).length, 3)
  assert.equal(told(schemaOf({ ...list({ maxItems: 10 }), items: { type: 'string', maxLength: 10 } }, everyPair)), [])
})

rules('may compare with the old value, where it can be correlated', () => {
  const immutable = schemaOf({ type: 'string' }, ['self == oldSelf'])
  assert.equal(told(immutable), [])
  const run = compileRunRules(immutable, all)!.atOnce
  assert.equal(run({ spec: 'a' }, undefined), [])
  assert.equal(run({ spec: 'a' }, { spec: 'a' }), [])
  assert.equal(
    run({ spec: 'b' }, { spec: 'a' }).map(error => error.field),
    ['spec'],
  )
  const inItems = readSchema(
    {
      type: 'object',
      properties: {
        l: {
          type: 'array',
          maxItems: 5,
          items: { type: 'string', maxLength: 9, [keywords.validations]: [{ rule: 'self == oldSelf' }] },
        },
      },
    },
    keywords,
  )
  assert.equal(told(inItems), ['Invalid schema.properties[l].items.x-kubernetes-validations[0].rule'])
})

rules('have texts that are checked wherever they are, also in parts that may not have rules', () => {
  const part = { [keywords.validations]: [{ rule: 'self > 0', fieldPath: '.x' }, { rule: '' }] }
  const schema = readSchema({ allOf: [part], anyOf: [part], oneOf: [{}, part], not: { not: part } }, keywords)
  assert.equal(
    validateRuleTexts(schema, '$', keywords).map(({ field }) => field),
    ['allOf[0]', 'anyOf[0]', 'oneOf[1]', 'not.not'].flatMap(at =>
      ['[0].fieldPath', '[1].rule'].map(error => `$.${at}.${keywords.validations}${error}`),
    ),
  )
})

rules('report their message, or the rule itself', () => {
  const run = compileRunRules(
    readSchema(
      {
        type: 'object',
        properties: {
          n: {
            type: 'integer',
            [keywords.validations]: [{ rule: 'self > 0', message: 'too small' }, { rule: 'self != 0' }],
          },
        },
      },
      keywords,
    ),
    all,
  )!.atOnce
  assert.equal(
    run({ n: 0 }, undefined).map(error => error.detail),
    ['too small', 'failed rule: self != 0'],
  )
})

rules.run()
