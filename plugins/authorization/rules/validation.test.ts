import { ServedLevel } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mainStrategy } from '../cluster-roles/resource.js'
import { acmeNames, rule } from '../testing/acme.js'
import { bindingDefaults } from './binding-defaults.js'
import { bindingStrategy } from './binding-strategy.js'
import type { PolicyRule, Subject } from './schema.js'
import { validateRules } from './validation.js'

const validation = suite('roles and bindings validation')
const group = 'rbac.acme.test'
const names = { rbacGroup: group, level: acmeNames.level }
const told = (errors: readonly { type: string; field: string }[]) => errors.map(({ type, field }) => `${field} ${type}`)

const ruleCases: Record<string, { rule: Partial<PolicyRule>; isNamespaced: boolean; errors: string[] }> = {
  'a complete rule is fine': { rule: rule('get', 'pods'), isNamespaced: true, errors: [] },
  'a rule needs verbs': {
    rule: { ...rule('get', 'pods'), verbs: [] },
    isNamespaced: true,
    errors: ['rules[0].verbs FieldValueRequired'],
  },
  'a resource rule needs groups and resources': {
    rule: { verbs: ['get'] },
    isNamespaced: true,
    errors: ['rules[0].apiGroups FieldValueRequired', 'rules[0].resources FieldValueRequired'],
  },
  'paths are for cluster roles': {
    rule: { verbs: ['get'], nonResourceURLs: ['/x'] },
    isNamespaced: true,
    errors: ['rules[0].nonResourceURLs FieldValueInvalid'],
  },
  'a rule for paths has no resources': {
    rule: { ...rule('get', 'pods'), nonResourceURLs: ['/x'] },
    isNamespaced: true,
    errors: ['rules[0].nonResourceURLs FieldValueInvalid', 'rules[0].nonResourceURLs FieldValueInvalid'],
  },
  'a cluster role may have paths': {
    rule: { verbs: ['get'], nonResourceURLs: ['/x'] },
    isNamespaced: false,
    errors: [],
  },
}
for (const [title, { rule: given, isNamespaced, errors }] of Object.entries(ruleCases))
  validation(title, () => assert.equal(told(validateRules([given as PolicyRule], isNamespaced)), errors))

validation('a role without rules is fine', () => {
  assert.equal(validateRules(null, true), [])
})

const aggregation = (clusterRoleSelectors: object[]) =>
  told(mainStrategy(names).validate({ metadata: {}, rules: [], aggregationRule: { clusterRoleSelectors } } as never))

validation('an aggregation rule needs selectors that can be used', () => {
  assert.equal(aggregation([{ matchLabels: { a: 'b' } }]), [])
  assert.equal(aggregation([]), ['aggregationRule.clusterRoleSelectors FieldValueRequired'])
  assert.equal(aggregation([{ matchExpressions: [{ key: 'a', operator: 'In', values: [] }] }]), [
    'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values FieldValueRequired',
    'aggregationRule.clusterRoleSelectors[0] FieldValueInvalid',
  ])
})

validation('values that an aggregation rule selects must be possible ones, unless others are stored', () => {
  const selecting = (value: string) => ({
    metadata: {},
    rules: [],
    aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'In', values: [value] }] }] },
  })
  const { validate, validateUpdate } = mainStrategy({ level: new ServedLevel('1.36') })
  const unusable = 'aggregationRule.clusterRoleSelectors[0] FieldValueInvalid'
  assert.equal(told(validate(selecting('b!') as never)), [
    'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values[0] FieldValueInvalid',
    unusable,
  ])
  assert.equal(told(mainStrategy({ level: new ServedLevel('1.25') }).validate(selecting('b!') as never)), [unusable])
  assert.ok(told(validateUpdate(selecting('b!') as never, selecting('b?') as never)).every(error => error === unusable))
})

const role = { apiGroup: group, kind: 'Role', name: 'r' }
const bindingErrors = (subjects: Subject[], roleRef = role, isNamespaced = true) =>
  told(bindingStrategy(names, isNamespaced).validate({ roleRef, subjects }))

validation('a role reference names a role of a known kind in the right group', () => {
  assert.equal(bindingErrors([]), [])
  assert.equal(bindingErrors([], { apiGroup: 'x', kind: 'Pod', name: '' }), [
    'roleRef.apiGroup FieldValueNotSupported',
    'roleRef.kind FieldValueNotSupported',
    'roleRef.name FieldValueRequired',
  ])
  assert.equal(bindingErrors([], { ...role, name: 'a/b' }), ['roleRef.name FieldValueInvalid'])
  assert.equal(bindingErrors([], role, false), ['roleRef.kind FieldValueNotSupported'])
})

const subjectCases: Record<string, { subject: Subject; errors: string[]; isNamespaced?: boolean }> = {
  'a user is named in the right group': { subject: { kind: 'User', apiGroup: group, name: 'Ann Lee' }, errors: [] },
  'a group in a foreign API group is refused': {
    subject: { kind: 'Group', apiGroup: 'x', name: 'g' },
    errors: ['subjects[0].apiGroup FieldValueNotSupported'],
  },
  'a subject needs a name': {
    subject: { kind: 'User', apiGroup: group, name: '' },
    errors: ['subjects[0].name FieldValueRequired'],
  },
  'a kind must be known': {
    subject: { kind: 'Robot', name: 'x' },
    errors: ['subjects[0].kind FieldValueNotSupported'],
  },
  'a service account has an object name and no API group': {
    subject: { kind: 'ServiceAccount', apiGroup: group, name: 'BAD', namespace: 'n' },
    errors: ['subjects[0].name FieldValueInvalid', 'subjects[0].apiGroup FieldValueNotSupported'],
  },
  'a service account of a role binding needs no namespace': {
    subject: { kind: 'ServiceAccount', name: 's' },
    errors: [],
  },
  'a service account of a cluster binding needs its namespace': {
    subject: { kind: 'ServiceAccount', name: 's' },
    isNamespaced: false,
    errors: ['subjects[0].namespace FieldValueRequired'],
  },
}
for (const [title, { subject, errors, isNamespaced = true }] of Object.entries(subjectCases))
  validation(title, () =>
    assert.equal(bindingErrors([subject], { ...role, kind: 'ClusterRole' }, isNamespaced), errors),
  )

validation('the role of a binding never changes, its subjects may', () => {
  const { validateUpdate } = bindingStrategy(names, true)
  const stored = { roleRef: role, subjects: [] }
  assert.equal(validateUpdate({ roleRef: role, subjects: [{ kind: 'User', apiGroup: group, name: 'a' }] }, stored), [])
  assert.equal(told(validateUpdate({ roleRef: { ...role, name: 's' } }, stored)), ['roleRef FieldValueInvalid'])
  assert.equal(told(validateUpdate({ roleRef: { ...role, kind: 'ClusterRole' } }, stored)), [
    'roleRef FieldValueInvalid',
  ])
})

validation('role references, users and groups get the API group they must have', () => {
  const binding = {
    roleRef: { apiGroup: '', kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'User', name: 'u' },
      { kind: 'Group', apiGroup: 'x', name: 'g' },
      { kind: 'ServiceAccount', name: 's' },
    ] as Subject[],
  }
  bindingDefaults(group)(binding)
  assert.is(binding.roleRef.apiGroup, group)
  assert.equal(
    binding.subjects.map(subject => subject.apiGroup),
    [group, 'x', undefined],
  )
})

validation.run()
