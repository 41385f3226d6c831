import fc from 'fast-check'
import type { AccessAttributes } from 'orch/sdk/identity'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { access, aUser, rule } from '../testing/acme.js'
import { RuleMatcher, readyRules } from './rule-matcher.js'
import type { PolicyRule } from './schema.js'

const matching = suite('rule matcher')
const ann = aUser('ann')
function allows(rules: PolicyRule[], request: AccessAttributes): boolean {
  const matcher = new RuleMatcher<string>()
  matcher.add(readyRules(rules), 'role')
  return matcher.find(request) === 'role'
}

const cases: Record<string, { rule: PolicyRule; request: AccessAttributes; allowed: boolean }> = {
  'allows the verb on the resource': {
    rule: rule('get', 'pods'),
    request: access(ann, 'get', 'pods', { name: 'p' }),
    allowed: true,
  },
  'refuses another verb': { rule: rule('get', 'pods'), request: access(ann, 'list', 'pods'), allowed: false },
  'refuses another group': {
    rule: rule('get', 'pods'),
    request: access(ann, 'get', 'pods', { group: 'apps' }),
    allowed: false,
  },
  'does not match a subresource by its resource': {
    rule: rule('get', 'pods'),
    request: access(ann, 'get', 'pods/log'),
    allowed: false,
  },
  'does not match a resource by its subresource': {
    rule: rule('get', 'pods/log'),
    request: access(ann, 'get', 'pods'),
    allowed: false,
  },
  'matches the scale of every resource by */scale': {
    rule: rule('get', '*/scale', '*'),
    request: access(ann, 'get', 'widgets/scale', { group: 'acme.test' }),
    allowed: true,
  },
  'does not match a resource by */scale': {
    rule: rule('get', '*/scale'),
    request: access(ann, 'get', 'pods'),
    allowed: false,
  },
  'matches nothing by pods/*': {
    rule: rule('get', 'pods/*'),
    request: access(ann, 'get', 'pods/log'),
    allowed: false,
  },
  'does not treat a star within a word as a wildcard': {
    rule: rule('g*', 'po*'),
    request: access(ann, 'get', 'pods'),
    allowed: false,
  },
  'matches every resource and subresource by *': {
    rule: rule('*', '*', '*'),
    request: access(ann, 'delete', 'pods/exec', { group: 'x' }),
    allowed: true,
  },
  'needs the all-verbs rule for the verb *': {
    rule: rule('get', 'pods'),
    request: access(ann, '*', 'pods'),
    allowed: false,
  },
  'allows a named object': {
    rule: rule('get', 'pods', '', 'one'),
    request: access(ann, 'get', 'pods', { name: 'one' }),
    allowed: true,
  },
  'refuses an object of another name': {
    rule: rule('get', 'pods', '', 'one'),
    request: access(ann, 'get', 'pods', { name: 'two' }),
    allowed: false,
  },
  'denies a collection to a user who may only use named objects': {
    rule: rule('list,create', 'pods', '', 'one'),
    request: access(ann, 'list', 'pods'),
    allowed: false,
  },
  'does not treat the resource name * as a wildcard': {
    rule: rule('get', 'pods', '', '*'),
    request: access(ann, 'get', 'pods', { name: 'one' }),
    allowed: false,
  },
  'allows a path': {
    rule: { verbs: ['get'], nonResourceURLs: ['/healthz'] },
    request: { user: ann, verb: 'get', path: '/healthz' },
    allowed: true,
  },
  'allows paths below a prefix': {
    rule: { verbs: ['get'], nonResourceURLs: ['/apis/*'] },
    request: { user: ann, verb: 'get', path: '/apis/x/v1' },
    allowed: true,
  },
  'does not match the parent of a prefix': {
    rule: { verbs: ['get'], nonResourceURLs: ['/apis/*'] },
    request: { user: ann, verb: 'get', path: '/apis' },
    allowed: false,
  },
  'does not treat a star in the middle of a path as a wildcard': {
    rule: { verbs: ['get'], nonResourceURLs: ['/a/*/c'] },
    request: { user: ann, verb: 'get', path: '/a/b/c' },
    allowed: false,
  },
  'does not let resource rules reach paths': {
    rule: rule('*', '*', '*'),
    request: { user: ann, verb: 'get', path: '/metrics' },
    allowed: false,
  },
  'does not let path rules reach resources': {
    rule: { verbs: ['*'], nonResourceURLs: ['*'] },
    request: access(ann, 'get', 'secrets'),
    allowed: false,
  },
}
for (const [title, { rule: given, request, allowed }] of Object.entries(cases))
  matching(title, () => assert.is(allows([given], request), allowed))

/** The rule as the reference states it, one comparison after the other. */
function plainly(rules: PolicyRule[], request: AccessAttributes): boolean {
  const has = (list: string[] | undefined, value: string) => (list ?? []).some(one => one === '*' || one === value)
  return rules.some(one => {
    if (!has(one.verbs, request.verb)) return false
    if (request.path !== undefined)
      return (one.nonResourceURLs ?? []).some(
        url =>
          url === '*' ||
          url === request.path ||
          (url.endsWith('*') && request.path.startsWith(url.replace(/\*+$/, ''))),
      )
    const combined = request.subresource ? `${request.resource}/${request.subresource}` : request.resource
    const names = one.resourceNames ?? []
    return (
      has(one.apiGroups, request.group) &&
      (one.resources ?? []).some(
        resource =>
          resource === '*' ||
          resource === combined ||
          (request.subresource !== '' && resource === `*/${request.subresource}`),
      ) &&
      (names.length === 0 || names.includes(request.name))
    )
  })
}

const some = (...values: string[]) => fc.subarray(values, { maxLength: 3 })
const anyRule = fc.oneof(
  fc.record({
    verbs: some('get', 'list', '*', 'g*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', '*/log', '*', 'secrets', '*/*'),
    resourceNames: some('a', 'b', '*'),
  }),
  fc.record({ verbs: some('get', 'list', '*'), nonResourceURLs: some('/a', '/a/*', '*', '/a/b', '/a*') }),
)
const anyAccess: fc.Arbitrary<AccessAttributes> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('get', 'list', '*'),
      fc.constantFrom('pods', 'pods/log', 'secrets', 'secrets/log'),
      fc.constantFrom('', 'apps'),
      fc.constantFrom('', 'a', 'b', '*'),
    )
    .map(([verb, resource, group, name]) => access(ann, verb, resource, { group, name })),
  fc
    .tuple(fc.constantFrom('get', 'list'), fc.constantFrom('/a', '/a/', '/a/b', '/ab', '/'))
    .map(([verb, path]) => ({ user: ann, verb, path })),
)

matching('decides every request as the plain comparison does', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 4 }), anyAccess, (rules, request) => {
      assert.is(allows(rules, request), plainly(rules, request))
    }),
    { numRuns: 2000 },
  )
})

matching.run()
