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

const isCovered = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]) =>
  uncoveredRules(held, wanted).next().done === true

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
  coverage(title, () => assert.is(isCovered(held, wanted), covered))

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

coverage('covered rules never allow a request that was not allowed before', () => {
  const rules = fc.array(anyRule, { maxLength: 3 })
  fc.assert(
    fc.property(rules, rules, (held, wanted) => {
      if (!isCovered(held, wanted)) return
      const matcher = new RuleMatcher<'held' | 'wanted'>()
      matcher.add(readyRules(held), 'held')
      const both = new RuleMatcher<'held' | 'wanted'>()
      both.add(readyRules([...held, ...wanted]), 'wanted')
      for (const request of everyRequest) if (both.find(request)) assert.ok(matcher.find(request))
    }),
    { numRuns: 500 },
  )
})

/** The rule of the reference, word for word: every smallest piece is granted by one single rule. */
function isCoveredPieceByPiece(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): boolean {
  const has = (list: readonly string[] = [], value: string) => list.includes('*') || list.includes(value)
  const pieces = wanted.flatMap(({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) =>
    verbs.flatMap(verb => [
      ...apiGroups.flatMap(group =>
        resources.flatMap(resource =>
          (resourceNames.length === 0 ? [undefined] : resourceNames).map(name => ({
            verb,
            group,
            resource,
            name,
            url: '',
          })),
        ),
      ),
      ...nonResourceURLs.map(url => ({ verb, group: '', resource: '', name: undefined, url })),
    ]),
  )
  return pieces.every(({ verb, group, resource, name, url }) =>
    held.some(rule => {
      if (!has(rule.verbs, verb)) return false
      if (url !== '')
        return (rule.nonResourceURLs ?? []).some(
          one => one === url || (one.endsWith('*') && url.startsWith(one.slice(0, one.length - 1))),
        )
      const names = rule.resourceNames ?? []
      const [, subresource] = resource.split('/')
      return (
        has(rule.apiGroups, group) &&
        (has(rule.resources, resource) ||
          (subresource !== undefined && rule.resources?.includes(`*/${subresource}`) === true)) &&
        (names.length === 0 || (name !== undefined && names.includes(name)))
      )
    }),
  )
}

coverage('classes of values lead to the same result as checking every combination', () => {
  const rules = fc.array(anyRule, { maxLength: 4 })
  fc.assert(
    fc.property(rules, rules, (held, wanted) => isCovered(held, wanted) === isCoveredPieceByPiece(held, wanted)),
    { numRuns: 2000 },
  )
})

const words = (count: number, prefix = 'w') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
/** CPU milliseconds that some work takes. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

coverage('a rule with a billion combinations is checked quickly, also when several rules grant it together', () => {
  const many = words(1000)
  const huge = { verbs: many, apiGroups: many, resources: many }
  assert.not.ok(isCovered([], [huge]))
  const half = { ...huge, verbs: many.slice(0, 500) }
  assert.ok(isCovered([half, { ...huge, verbs: many.slice(500) }], [huge]))
  assert.not.ok(isCovered([half, { ...huge, verbs: many.slice(501) }], [huge]))
  assert.ok(isCovered([huge], [half]))
})

coverage('a role of hundreds of kilobytes is checked and reported quickly', () => {
  const held = [
    rule('get,list,watch', 'pods,services,secrets'),
    rule('*', 'deployments', 'apps'),
    rule('get', '*', '*'),
  ]
  const wide = { verbs: words(29, 'v'), apiGroups: words(29, 'g'), resources: words(29, 'r') }
  const wanted = Array.from({ length: 900 }, () => wide)
  const ms = cpuOf(() => assert.is(compactRules(uncoveredRules(held, wanted), 500).length, 500))
  assert.ok(ms < 250, `${ms} ms`)
  const granted = Array.from({ length: 900 }, () => ({ ...wide, verbs: ['get'] }))
  const coveredMs = cpuOf(() => assert.ok(isCovered(held, granted)))
  assert.ok(coveredMs < 250, `${coveredMs} ms`)
})

coverage('a role that only very many rules together could cover is rejected rather than checked indefinitely', () => {
  const many = words(200)
  const held = many.flatMap(verb =>
    many.slice(0, 20).map(group => ({ verbs: [verb], apiGroups: [group], resources: many })),
  )
  const wanted = [{ verbs: many, apiGroups: many.slice(0, 20), resources: many }]
  const diverse = many.map((resource, index) => ({
    verbs: many.slice(index),
    apiGroups: many.slice(0, index),
    resources: [resource],
  }))
  const ms = cpuOf(() => {
    assert.ok(isCovered(held, wanted))
    assert.not.ok(isCovered(diverse, [{ verbs: many, apiGroups: many, resources: many }]))
  })
  assert.ok(ms < 1000, `${ms} ms`)
})

coverage('a path that contains an internal marker is not a pattern', () => {
  assert.not.ok(isCovered([paths('get', '/a*')], [paths('get', '^/a')]))
  assert.not.ok(isCovered([rule('get', 'pods', '', '')], [rule('get', 'pods')]))
})

coverage('a rule without verbs grants nothing', () => {
  const unwritten = { verbs: null as never, apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }
  assert.ok(isCovered([rule('get', 'pods')], [unwritten]))
})

coverage('missing rights are grouped by resource, with all verbs', () => {
  const missing = uncoveredRules([], [rule('get,list', 'pods,secrets'), paths('get', '/metrics')])
  assert.equal(compactRules(missing, 10).map(describeRule), [
    '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
  ])
})

coverage.run()
