import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findProgram } from '../support/find-program.js'
import { rejects } from '../support/rejects.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { Kubectl } from './kubectl.js'

const program = findProgram('kubectl')
const policies = suite('kubectl and policies')

const manifests = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: sizes.example.com}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations:
  - {expression: object.spec.replicas <= int(params.data.max), messageExpression: "'at most ' + params.data.max"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: sizes}
spec:
  policyName: sizes.example.com
  validationActions: [Deny]
  paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: default}
data: {max: "3"}
`

policies('applies them, is rejected by them, and shows their columns', async () => {
  const server = await startOrch({ flags: ['--vendor', 'kubernetes', '--kubernetes-version', '1.36'] })
  const folder = temporaryFolder()
  try {
    const ctl = new Kubectl(program ?? '', server)
    const file = folder.write('policy.yaml', manifests)
    await ctl.run('apply', '-f', file)
    // Defaults in its lists that are not in the file do not count as a change.
    await ctl.run('apply', '-f', file)
    const { metadata } = await ctl.json<{ metadata: { generation: number } }>(
      'get',
      'validatingadmissionpolicy',
      'sizes.example.com',
    )
    assert.is(metadata.generation, 1)
    await ctl.run('create', 'deployment', 'small', '--image=a', '--replicas=3')
    await rejects(
      ctl.run('create', 'deployment', 'large', '--image=a', '--replicas=4'),
      /ValidatingAdmissionPolicy 'sizes.example.com' with binding 'sizes' denied request: at most 3/,
    )
    await rejects(
      ctl
        .run('scale', 'deployment', 'small', '--replicas=9')
        .then(() => ctl.run('label', 'deployment', 'small', 'a=b')),
      /at most 3/,
    )
    assert.match(
      await ctl.run('get', 'validatingadmissionpolicies'),
      /NAME +VALIDATIONS +PARAMKIND +AGE\nsizes.example.com +1 +v1\/ConfigMap/,
    )
    assert.match(
      await ctl.run('get', 'validatingadmissionpolicybindings'),
      /NAME +POLICYNAME +PARAMREF +AGE\nsizes +sizes.example.com +default\/limits/,
    )
    assert.match(
      await ctl.run('explain', 'validatingadmissionpolicy.spec.validations'),
      /expression\s+<string> -required-/,
    )
  } finally {
    folder.remove()
    await server.stop()
  }
})

if (program) policies.run()
else console.log('SKIP kubectl is not installed')
