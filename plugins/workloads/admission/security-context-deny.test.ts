import type { Container, Pod, PodSpec } from 'orch/sdk/core'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { securityContextDeny } from './security-context-deny.js'

const aContainer = (securityContext: Container['securityContext'] = {}): Container => ({ name: 'c', securityContext })
const aPod = (spec: Partial<PodSpec>): Pod => ({
  metadata: { name: 'p' },
  spec: { containers: [aContainer()], ...spec },
})

const cases: Record<string, [spec: Partial<PodSpec>, code: number | undefined]> = {
  'admits a Pod without these fields': [{}, undefined],
  'admits fields that reduce privileges': [
    { securityContext: { runAsNonRoot: true }, containers: [aContainer({ runAsGroup: 7, privileged: false })] },
    undefined,
  ],
  'refuses groups': [{ securityContext: { supplementalGroups: [1] } }, 403],
  'refuses a SELinux label of the Pod': [{ securityContext: { seLinuxOptions: {} } }, 403],
  'refuses a user of the Pod, root as well': [{ securityContext: { runAsUser: 0 } }, 403],
  'refuses a group of the volumes': [{ securityContext: { fsGroup: 1 } }, 403],
  'refuses a user of a container': [{ containers: [aContainer(), aContainer({ runAsUser: 1 })] }, 403],
  'refuses a SELinux label of an init container': [{ initContainers: [aContainer({ seLinuxOptions: {} })] }, 403],
}
const deny = suite('security context deny')
for (const [title, [spec, code]] of Object.entries(cases))
  deny(`${title}, on create, update and dry run`, async () => {
    const object = aPod(spec)
    assert.is((await admit(securityContextDeny, { object }, {})).refusal?.code, code)
    assert.is((await admit(securityContextDeny, { object, dryRun: true }, {})).refusal?.code, code)
    const update = { operation: 'update', object, oldObject: aPod({}) } as const
    assert.is((await admit(securityContextDeny, update, {})).refusal?.code, code)
    assert.is((await admit(securityContextDeny, { ...update, subresource: 'status' }, {})).refusal, undefined)
  })
deny.run()
