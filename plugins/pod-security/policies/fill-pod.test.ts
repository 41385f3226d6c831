import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aContainer, acmeNames, aPod } from '../testing/acme.js'
import { checkPod } from './check-pod.js'
import { fillPod } from './fill-pod.js'
import type { PodSecurityPolicy } from './policy.js'

const ranges = [
  { min: 10, max: 20 },
  { min: 30, max: 40 },
]
const mustRun = { rule: 'MustRunAs', ranges }
const generous: PodSecurityPolicy = {
  metadata: {
    annotations: {
      [acmeNames.defaultSeccomp]: 'runtime/default',
      [acmeNames.allowedSeccomp]: '*',
      [acmeNames.defaultAppArmor]: 'runtime/default',
    },
  },
  spec: {
    runAsUser: mustRun,
    runAsGroup: mustRun,
    fsGroup: mustRun,
    supplementalGroups: mustRun,
    seLinux: { rule: 'MustRunAs', seLinuxOptions: { type: 't' } },
    defaultAddCapabilities: ['CHOWN'],
    requiredDropCapabilities: ['KILL'],
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    runtimeClass: { allowedRuntimeClassNames: ['vm'], defaultRuntimeClassName: 'vm' },
  },
}
const fill = (pod: ReturnType<typeof aPod>, policy = generous) => fillPod(pod, policy, acmeNames)

const filling = suite('a pod security policy fills in')

filling('everything that a Pod leaves open, and then allows it', () => {
  const pod = fill(aPod())
  assert.equal(pod.spec.securityContext, {
    supplementalGroups: [10],
    fsGroup: 10,
    seLinuxOptions: { type: 't' },
    seccompProfile: { type: 'RuntimeDefault' },
  })
  assert.equal(pod.spec.containers[0]?.securityContext, {
    runAsUser: 10,
    runAsGroup: 10,
    capabilities: { add: ['CHOWN'], drop: ['KILL'] },
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
  })
  assert.equal(pod.metadata?.annotations, {
    [acmeNames.seccompPod]: 'runtime/default',
    [`${acmeNames.appArmorContainer}c`]: 'runtime/default',
  })
  assert.is(pod.spec.runtimeClassName, 'vm')
  assert.equal(checkPod(pod, generous, acmeNames), [])
})
filling('a Pod without containers, which validation refuses later', () => {
  const pod = { ...aPod(), spec: { containers: null as never } }
  assert.is(fill(pod).spec.containers, null)
})
filling('nothing the second time', () => {
  const once = fill(aPod())
  assert.equal(fill(once), once)
})
filling('nothing that the Pod chose', () => {
  const chosen = aPod(
    {
      runtimeClassName: 'own',
      securityContext: {
        runAsUser: 1,
        runAsGroup: 2,
        supplementalGroups: [3],
        fsGroup: 4,
        seLinuxOptions: { type: 'x' },
      },
      containers: [
        aContainer({
          securityContext: {
            capabilities: { add: ['NET_ADMIN'], drop: ['CHOWN', 'KILL'] },
            readOnlyRootFilesystem: false,
            allowPrivilegeEscalation: true,
          },
        }),
      ],
    },
    { annotations: { [acmeNames.seccompPod]: 'unconfined', [`${acmeNames.appArmorContainer}c`]: 'unconfined' } },
  )
  chosen.spec.securityContext = { ...chosen.spec.securityContext, seccompProfile: { type: 'Unconfined' } }
  assert.equal(fill(chosen), chosen)
})
filling('nothing where anything is allowed', () => {
  const any = { rule: 'RunAsAny' }
  const spec = { runAsUser: any, fsGroup: any, supplementalGroups: any, seLinux: any, allowPrivilegeEscalation: true }
  assert.equal(fill(aPod(), { spec }), aPod())
})
filling('runAsNonRoot where no user is set', () => {
  const policy = { spec: { runAsUser: { rule: 'MustRunAsNonRoot' } } }
  assert.equal(fill(aPod(), policy).spec.containers[0]?.securityContext, { runAsNonRoot: true })
  const named = aPod({ securityContext: { runAsUser: 7 } })
  assert.equal(fill(named, policy), named)
})
filling('the default of the policy before what it forbids', () => {
  const policy = { spec: { defaultAllowPrivilegeEscalation: true } }
  assert.equal(fill(aPod(), policy).spec.containers[0]?.securityContext, { allowPrivilegeEscalation: true })
})
filling('init containers, too', () => {
  const policy = { spec: { readOnlyRootFilesystem: true } }
  const { spec } = fill(aPod({ initContainers: [aContainer({ name: 'i' })] }), policy)
  assert.equal(spec.initContainers?.[0]?.securityContext, { readOnlyRootFilesystem: true })
})

filling.run()
