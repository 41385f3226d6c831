import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../test/support/temporary-folder.js'
import { run } from './run.js'

const policyTests = suite('orchctl policy test')

/** Runs the command on one file, without a server. */
async function testing(text: string, ...more: string[]): Promise<{ code: number; out: string; error: string }> {
  const folder = temporaryFolder()
  let [out, error] = ['', '']
  try {
    const code = await run(['policy', 'test', folder.write('all.yaml', text), ...more], {
      version: '0',
      environment: {},
      isTerminal: false,
      signal: new AbortController().signal,
      write: (written: string) => void (out += written),
      log: (line: string) => void (error += `${line}\n`),
      readInput: async () => '',
    } as never)
    return { code, out, error }
  } finally {
    folder.remove()
  }
}

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: sizes.example.com}
spec:
  paramKind: {apiVersion: example.com/v1, kind: Limit}
  matchConstraints:
    resourceRules: [{apiGroups: [example.com], apiVersions: [v1], operations: ["*"], resources: [cups]}]
  matchConditions: [{name: not-root, expression: "request.userInfo.username != 'root'"}]
  validations:
  - {expression: "request.operation == 'DELETE' || object.size <= params.size", message: too large}
  - {expression: "oldObject == null || object == null || object.size >= oldObject.size", message: shrinks}
  - {expression: "request.operation != 'DELETE'", message: stays}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: sizes}
spec:
  policyName: sizes.example.com
  validationActions: [ACTION]
  paramRef: {name: small, namespace: rules, parameterNotFoundAction: Deny}
---
apiVersion: example.com/v1
kind: Limit
metadata: {name: small, namespace: rules}
size: 5
---
`
const definition = (plural: string, kind: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ${plural}, kind: ${kind}}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer}}}}}
---
`
const cup = (name: string, size: number, notes: Record<string, string> = {}) =>
  `${JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Cup', metadata: { name, annotations: notes }, size })}\n---\n`
const manifests = (action: string) =>
  definition('cups', 'Cup') + definition('limits', 'Limit') + policy.replace('ACTION', action)
const expect = (what: string, operation?: string) => ({
  'policy-test/expect': what,
  ...(operation ? { 'policy-test/operation': operation } : {}),
})

policyTests('reports the result of each policy, for custom types, updates and deletions', async () => {
  const files =
    manifests('Deny') +
    cup('fine', 3) +
    cup('large', 9, expect('deny')) +
    cup('shrinking', 4) +
    cup('shrinking', 3, expect('deny')) +
    cup('gone', 3, expect('deny', 'DELETE'))
  const { code, out, error } = await testing(files)
  assert.is(error, '')
  assert.is(
    out,
    [
      'CREATE Cup fine: allowed, as expected',
      '  admitted   sizes.example.com (binding sizes)',
      'CREATE Cup large: denied, as expected',
      '  deny       sizes.example.com (binding sizes): too large',
      'UPDATE Cup shrinking: denied, as expected',
      '  deny       sizes.example.com (binding sizes): shrinks',
      'DELETE Cup gone: denied, as expected',
      '  deny       sizes.example.com (binding sizes): stays',
      '4 objects, 4 as expected, 0 not',
      '',
    ].join('\n'),
  )
  assert.is(code, 0)
})

policyTests('exits with 1 on an unexpected denial or an unexpected admission', async () => {
  const { code, out } = await testing(manifests('Deny') + cup('large', 9) + cup('fine', 1, expect('deny')))
  assert.is(code, 1)
  assert.match(out, 'CREATE Cup large: denied, expected allow')
  assert.match(out, 'CREATE Cup fine: allowed, expected deny')
  assert.match(out, '2 objects, 0 as expected, 2 not')
})

policyTests('reports fields that do not match the types', async () => {
  const { code, error } = await testing(
    manifests('Deny').replace('object.size <=', 'object.sice <=') + cup('a', 1, expect('deny')),
  )
  assert.is(code, 0)
  assert.match(
    error,
    /Warning: ValidatingAdmissionPolicy sizes.example.com, spec.validations\[0\].expression: example.com\/v1, Kind=Cup: .*undefined field 'sice'/,
  )
})

policyTests('shows warnings and the user', async () => {
  const warned = await testing(manifests('Warn') + cup('large', 9, expect('warn')))
  assert.is(warned.code, 0)
  assert.match(warned.out, 'CREATE Cup large: allowed with warnings, as expected\n  warn ')
  const skipped = await testing(manifests('Deny') + cup('large', 9), '--as', 'root')
  assert.is(skipped.code, 0)
  assert.match(skipped.out, '  skipped    sizes.example.com (binding sizes)')
})

policyTests('shows the result of mutating policies', async () => {
  const mutating = `apiVersion: admissionregistration.orch.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: label.example.com}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]
  mutations:
  - {patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{data: {"made": "here"}}'}}
---
apiVersion: admissionregistration.orch.io/v1beta1
kind: MutatingAdmissionPolicyBinding
metadata: {name: label}
spec: {policyName: label.example.com}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
`
  const { code, out } = await testing(mutating, '--show')
  assert.is(code, 0)
  assert.match(out, '  changed    label.example.com (binding label)')
  assert.match(out, 'made: here')
  const expecting = (object: string) =>
    testing(
      mutating.replace(
        'metadata: {name: a}',
        `metadata: {name: a, annotations: {policy-test/expect: change}}${object}`,
      ),
    )
  assert.match((await expecting('')).out, 'CREATE ConfigMap a: allowed, as expected')
  assert.match((await expecting('\ndata: {made: here}')).out, 'CREATE ConfigMap a: allowed, expected change')
})

policyTests('rejects invalid policies, and files without any', async () => {
  const broken = await testing(manifests('Deny').replace('object.size <= params.size', 'object.size <=') + cup('a', 1))
  assert.is(broken.code, 1)
  assert.match(
    broken.error,
    /ValidatingAdmissionPolicy sizes.example.com is not accepted: .*spec.validations\[0\].expression/,
  )
  const unbound = await testing(manifests('Deny').replace('policyName: sizes', 'policyName: size') + cup('large', 9))
  assert.match(
    unbound.error,
    'Warning: ValidatingAdmissionPolicy sizes.example.com has no binding in these files, so it has no effect',
  )
  assert.match(unbound.error, 'Warning: the policy of ValidatingAdmissionPolicyBinding sizes is not in these files')
  const none = await testing(cup('a', 1))
  assert.is(none.code, 2)
  assert.match(none.error, 'no policy in these files')
})

policyTests.run()
