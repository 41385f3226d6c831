import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { access, aUser, rule } from '../testing/acme.js'
import { describeRule } from './describe-rule.js'
import { compactRules, uncoveredRules } from './rule-coverage.js'
import { RuleMatcher, readyRules } from './rule-matcher.js'
import type { PolicyRule } from './schema.js'

const coverage = suite('rule coverage')
const paths = (verbs: string, ...nonResourceURLs: string[]): PolicyRule => ({
  verbs: verbs.split(','),
  nonResourceURLs,
})

const cases: Record<string, { held: PolicyRule[]; wanted: PolicyRule[]; covered: boolean }> = {
  'a right covers itself': { held: [rule('get', 'pods')], wanted: [rule('get', 'pods')], covered: true },
  'rights add up over rules': {
    held: [rule('get', 'pods'), rule('list', 'pods'), rule('get,list', 'secrets')],
    wanted: [rule('get,list', 'pods,secrets')],
    covered: true,
  },
  'one verb too many is not covered': {
    held: [rule('get', 'pods')],
    wanted: [rule('get,list', 'pods')],
    covered: false,
  },
  'every known verb does not make the right to all verbs': {
    held: [rule('get,list,watch,create,update,patch,delete,deletecollection', 'pods')],
    wanted: [rule('*', 'pods')],
    covered: false,
  },
  'every known group does not make the right to all groups': {
    held: [rule('get', 'pods', ''), rule('get', 'pods', 'apps')],
    wanted: [rule('get', 'pods', '*')],
    covered: false,
  },
  'named objects do not make the right to all objects': {
    held: [rule('get', 'pods', '', 'a', 'b')],
    wanted: [rule('get', 'pods')],
    covered: false,
  },
  'all objects cover named ones': {
    held: [rule('get', 'pods')],
    wanted: [rule('get', 'pods', '', 'a')],
    covered: true,
  },
  'named objects cover only themselves': {
    held: [rule('get', 'pods', '', 'a')],
    wanted: [rule('get', 'pods', '', 'a', 'c')],
    covered: false,
  },
  'a resource does not cover its subresources': {
    held: [rule('get', 'pods')],
    wanted: [rule('get', 'pods/exec')],
    covered: false,
  },
  'all resources cover subresources': { held: [rule('get', '*')], wanted: [rule('get', 'pods/exec')], covered: true },
  'the scale of everything covers the scale of one type': {
    held: [rule('get', '*/scale')],
    wanted: [rule('get', 'pods/scale')],
    covered: true,
  },
  'all resources do not cover paths': {
    held: [rule('*', '*', '*')],
    wanted: [paths('get', '/metrics')],
    covered: false,
  },
  'all paths do not cover resources': { held: [paths('*', '*')], wanted: [rule('get', 'pods')], covered: false },
  'a path prefix covers what is below it': {
    held: [paths('get', '/apis/*')],
    wanted: [paths('get', '/apis/x', '/apis/y/*')],
    covered: true,
  },
  'a path prefix does not cover everything': {
    held: [paths('get', '/a*')],
    wanted: [paths('get', '*')],
    covered: false,
  },
  'a rule without resources grants nothing, so anyone may write it': {
    held: [],
    wanted: [{ verbs: ['*'] }],
    covered: true,
  },
}
for (const [title, { held, wanted, covered }] of Object.entries(cases))
  coverage(title, () => assert.is(uncoveredRules(held, wanted).length === 0, covered))

const some = (...values: string[]) => fc.subarray(values, { maxLength: 3 })
const anyRule = fc.oneof(
  fc.record({
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', '*/log', '*', 'secrets'),
    resourceNames: some('a', 'b', '*'),
  }),
  fc.record({ verbs: some('get', 'list', '*'), nonResourceURLs: some('/a', '/a/*', '*', '/a/b', '/a*') }),
)
const everyRequest = [
  ...['get', 'list', 'delete', '*'].flatMap(verb =>
    ['pods', 'pods/log', 'secrets', 'secrets/log', 'nodes', 'nodes/log'].flatMap(resource =>
      ['', 'apps', 'x'].flatMap(group =>
        ['', 'a', 'b', 'c', '*'].map(name => access(aUser('ann'), verb, resource, { group, name })),
      ),
    ),
  ),
  ...['get', 'list', 'delete'].flatMap(verb =>
    ['/', '/a', '/a/', '/a/b', '/a/c', '/ab'].map(path => ({ user: aUser('ann'), verb, path })),
  ),
]

coverage('what is covered never allows a request that was not allowed before', () => {
  const rules = fc.array(anyRule, { maxLength: 3 })
  fc.assert(
    fc.property(rules, rules, (held, wanted) => {
      if (uncoveredRules(held, wanted).length > 0) return
      const matcher = new RuleMatcher<'held' | 'wanted'>()
      matcher.add(readyRules(held), 'held')
      const both = new RuleMatcher<'held' | 'wanted'>()
      both.add(readyRules([...held, ...wanted]), 'wanted')
      for (const request of everyRequest) if (both.find(request)) assert.ok(matcher.find(request))
    }),
    { numRuns: 500 },
  )
})

coverage('a rule whose lists stand for a billion pieces is judged at once, and not granted piece by piece', () => {
  const words = Array.from({ length: 1000 }, (_, index) => `w${index}`)
  const huge = { verbs: words, apiGroups: words, resources: words }
  assert.is.not(uncoveredRules([], [huge]).length, 0)
  const half = { ...huge, verbs: words.slice(0, 500) }
  assert.is.not(uncoveredRules([half, { ...huge, verbs: words.slice(500) }], [huge]).length, 0)
  assert.equal(uncoveredRules([huge], [half]), [], 'one rule that grants it all is seen to')
})

coverage('a rule whose verbs nobody wrote grants nothing', () => {
  const unwritten = { verbs: null as never, apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }
  assert.equal(uncoveredRules([rule('get', 'pods')], [unwritten]), [])
})

coverage('what is missing is shown by resource with all its verbs', () => {
  const missing = uncoveredRules([], [rule('get,list', 'pods,secrets'), paths('get', '/metrics')])
  assert.equal(compactRules(missing).map(describeRule), [
    '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
    '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
  ])
})

coverage.run()
