import type { ObjectMeta } from 'orch/sdk'
import type { Container, PodSpec } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aContainer, acmeNames, aPod } from '../testing/acme.js'
import { checkPod } from './check-pod.js'
import type { PolicySpec } from './policy.js'

type Case = [rules: PolicySpec, spec: Partial<PodSpec>, wrong: string[]]
/** Fields of a Pod that a policy with these rules does not allow. */
const wrongFields = (
  rules: PolicySpec,
  spec: Partial<PodSpec>,
  annotations: ObjectMeta['annotations'] = {},
  ofPod: ObjectMeta['annotations'] = {},
) =>
  checkPod(aPod(spec, { annotations: ofPod }), { metadata: { annotations }, spec: rules }, acmeNames).map(
    ({ field }) => field,
  )
const one = (parts: Partial<Container>) => ({ containers: [aContainer(parts)] })
const own = (securityContext: Container['securityContext']) => one({ securityContext })
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] })
const context = 'spec.containers[0].securityContext'
const ranges = [{ min: 10, max: 20 }]

const cases: Record<string, Case> = {
  'allows an ordinary Pod': [{}, {}, []],
  'forbids the namespaces of the node': [
    {},
    { hostNetwork: true, hostPID: true, hostIPC: true },
    ['spec.securityContext.hostNetwork', 'spec.securityContext.hostPID', 'spec.securityContext.hostIPC'],
  ],
  'allows them where it says so': [
    { hostNetwork: true, hostPID: true, hostIPC: true },
    { hostNetwork: true, hostPID: true, hostIPC: true },
    [],
  ],
  'forbids privileged containers': [{}, own({ privileged: true }), [`${context}.privileged`]],
  'allows privileged containers where it says so': [{ privileged: true }, own({ privileged: true }), []],
  'looks into init containers': [
    {},
    { initContainers: [aContainer({ securityContext: { privileged: true } })] },
    ['spec.initContainers[0].securityContext.privileged'],
  ],
  'looks into debug containers': [
    {},
    { ephemeralContainers: [aContainer({ securityContext: { privileged: true } })] },
    ['spec.ephemeralContainers[0].securityContext.privileged'],
  ],
  'forbids capabilities it does not name': [
    { allowedCapabilities: ['CHOWN'], defaultAddCapabilities: ['KILL'] },
    own({ capabilities: { add: ['CHOWN', 'KILL', 'SYS_ADMIN'] } }),
    [`${context}.capabilities.add`],
  ],
  'allows every capability by a star': [
    { allowedCapabilities: ['*'], requiredDropCapabilities: [] },
    own({ capabilities: { add: ['SYS_ADMIN'] } }),
    [],
  ],
  'wants capabilities dropped': [
    { requiredDropCapabilities: ['KILL'] },
    own({ capabilities: { drop: ['CHOWN'] } }),
    [`${context}.capabilities.drop`],
  ],
  'wants something said about capabilities': [{ requiredDropCapabilities: ['KILL'] }, {}, [`${context}.capabilities`]],
  'forbids volumes it does not name': [{ volumes: ['secret'] }, volume({ emptyDir: {} }), ['spec.volumes[0]']],
  'allows volumes it names, by its own names': [{ volumes: ['cephFS'] }, volume({ cephfs: { monitors: [] } }), []],
  'allows every volume by a star': [{ volumes: ['*'] }, volume({ hostPath: { path: '/' } }), []],
  'takes the volume of tokens for a secret': [
    { volumes: ['secret'] },
    volume({
      projected: {
        sources: [
          { serviceAccountToken: { path: 'token' } },
          { configMap: { name: 'orch-root-ca.crt' } },
          { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
        ],
      },
    }),
    [],
  ],
  'takes no other projected volume for a secret': [
    { volumes: ['secret'] },
    volume({ projected: { sources: [{ configMap: { name: 'mine' } }] } }),
    ['spec.volumes[0]'],
  ],
  'allows host paths below one it names': [
    { volumes: ['*'], allowedHostPaths: [{ pathPrefix: '/var' }] },
    volume({ hostPath: { path: '/var/log' } }),
    [],
  ],
  'forbids other host paths, also those that only begin alike': [
    { volumes: ['*'], allowedHostPaths: [{ pathPrefix: '/var' }] },
    volume({ hostPath: { path: '/various' } }),
    ['spec.volumes[0].hostPath.pathPrefix'],
  ],
  'wants host paths mounted read-only': [
    { volumes: ['*'], allowedHostPaths: [{ pathPrefix: '/', readOnly: true }] },
    { ...volume({ hostPath: { path: '/x' } }), ...one({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }) },
    ['spec.containers[0].volumeMounts[0].readOnly'],
  ],
  'forbids drivers it does not name': [
    { volumes: ['*'], allowedCSIDrivers: [{ name: 'good' }] },
    volume({ csi: { driver: 'bad' } }),
    ['spec.volumes[0].driver'],
  ],
  'forbids ports of the node': [
    {},
    one({ ports: [{ containerPort: 1, hostPort: 80 }] }),
    ['spec.containers[0].ports[0].hostPort'],
  ],
  'allows ports of the node in its ranges': [
    { hostPorts: [{ min: 80, max: 90 }] },
    one({ ports: [{ containerPort: 1, hostPort: 80 }, { containerPort: 2 }] }),
    [],
  ],
  'wants a user in its ranges': [
    { runAsUser: { rule: 'MustRunAs', ranges } },
    own({ runAsUser: 9 }),
    [`${context}.runAsUser`],
  ],
  'takes the user of the Pod for that of its containers': [
    { runAsUser: { rule: 'MustRunAs', ranges } },
    { securityContext: { runAsUser: 10 } },
    [],
  ],
  'wants a promise not to be root': [{ runAsUser: { rule: 'MustRunAsNonRoot' } }, {}, [`${context}.runAsNonRoot`]],
  'wants the promise kept': [
    { runAsUser: { rule: 'MustRunAsNonRoot' } },
    own({ runAsNonRoot: true, runAsUser: 0 }),
    [`${context}.runAsUser`],
  ],
  'lets a group be left out that only may be in its ranges': [{ runAsGroup: { rule: 'MayRunAs', ranges } }, {}, []],
  'forbids a group outside its ranges': [
    { runAsGroup: { rule: 'MayRunAs', ranges } },
    own({ runAsGroup: 21 }),
    [`${context}.runAsGroup`],
  ],
  'wants groups in its ranges': [
    { fsGroup: { rule: 'MustRunAs', ranges }, supplementalGroups: { rule: 'MustRunAs', ranges } },
    { securityContext: { supplementalGroups: [10, 21] } },
    ['spec.securityContext.fsGroup', 'spec.securityContext.supplementalGroups'],
  ],
  'wants its own SELinux label': [
    { seLinux: { rule: 'MustRunAs', seLinuxOptions: { type: 't', level: 's0:c1,c2' } } },
    { securityContext: { seLinuxOptions: { type: 'x', level: 's0:c2,c1' } } },
    ['spec.securityContext.seLinuxOptions.type', `${context}.seLinuxOptions.type`],
  ],
  'wants a read-only root': [
    { readOnlyRootFilesystem: true },
    own({ readOnlyRootFilesystem: false }),
    [`${context}.readOnlyRootFilesystem`],
  ],
  'forbids gaining privileges': [{ allowPrivilegeEscalation: false }, {}, [`${context}.allowPrivilegeEscalation`]],
  'forbids an open /proc': [{}, own({ procMount: 'Unmasked' }), [`${context}.procMount`]],
  'forbids unsafe sysctls': [
    { allowedUnsafeSysctls: ['net.core.*'], forbiddenSysctls: ['kernel.shm_rmid_forced'] },
    {
      securityContext: {
        sysctls: ['kernel.msgmax', 'net.core.somaxconn', 'kernel.shm_rmid_forced', 'net.ipv4.tcp_syncookies'].map(
          name => ({ name, value: '1' }),
        ),
      },
    },
    ['spec.securityContext.sysctls[0]', 'spec.securityContext.sysctls[2]'],
  ],
  'forbids runtime classes it does not name': [
    { runtimeClass: { allowedRuntimeClassNames: ['vm'] } },
    { runtimeClassName: 'other' },
    ['spec.runtimeClassName'],
  ],
}
const check = suite('a pod security policy')
for (const [title, [rules, spec, wrong]] of Object.entries(cases))
  check(title, () => {
    assert.equal(wrongFields(rules, spec), wrong)
  })

check('allows no seccomp profile but those in its annotation', () => {
  const spec = { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }
  assert.is(wrongFields({}, spec).length, 2)
  assert.equal(wrongFields({}, spec, { [acmeNames.allowedSeccomp]: 'docker/default' }), [])
  assert.equal(wrongFields({}, spec, { [acmeNames.allowedSeccomp]: '*' }), [])
  assert.is(wrongFields({}, spec, { [acmeNames.allowedSeccomp]: 'unconfined' }).length, 2)
})
check('allows every AppArmor profile unless its annotation names some', () => {
  const key = `${acmeNames.appArmorContainer}c`
  const allowed = { [acmeNames.allowedAppArmor]: 'runtime/default' }
  assert.equal(wrongFields({}, {}, {}, { [key]: 'unconfined' }), [])
  assert.equal(wrongFields({}, {}, allowed, { [key]: 'runtime/default' }), [])
  assert.equal(wrongFields({}, {}, allowed, { [key]: 'unconfined' }), [`metadata.annotations[${key}]`])
  assert.equal(wrongFields({}, {}, allowed), [`metadata.annotations[${key}]`])
})

check.run()
