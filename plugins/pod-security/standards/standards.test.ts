import type { Container, PodSpec } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aContainer, acmeNames, aPod, careful } from '../testing/acme.js'
import type { PodLike } from './check.js'
import { type Level, latest, type Version } from './level.js'
import { detailsOf, reasonsOf, Standards } from './standards.js'

const standards = new Standards(acmeNames)
const violations = (pod: PodLike, level: Level, version: Version = latest) =>
  reasonsOf(standards.violations({ level, version }, pod))
const details = (pod: PodLike, level: Level) => detailsOf(standards.violations({ level, version: latest }, pod))

type Context = NonNullable<Container['securityContext']>
const withContext = (securityContext: Context) => aPod({ containers: [aContainer({ securityContext })] })
const aCarefulPod = (more: Context = {}, spec: Partial<PodSpec> = {}) =>
  aPod({ containers: [aContainer({ securityContext: { ...careful, ...more } })], ...spec })
const volume = (source: object) => aPod({ volumes: [{ name: 'v', ...source }] })

const baseline = suite('the baseline standard')

const harmless: Record<string, PodLike> = {
  'an ordinary Pod': aPod(),
  'usual capabilities': withContext({ capabilities: { add: ['CHOWN', 'NET_BIND_SERVICE'] } }),
  'a port of its own': aPod({ containers: [aContainer({ ports: [{ containerPort: 80 }] })] }),
  'the usual view of /proc': withContext({ procMount: 'Default' }),
  'the SELinux type of containers': withContext({ seLinuxOptions: { type: 'container_t', level: 's0' } }),
  'a safe sysctl': aPod({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }] } }),
  'the AppArmor profile of the runtime': aPod(
    {},
    { annotations: { [`${acmeNames.appArmorContainer}c`]: 'runtime/default' } },
  ),
  'a secret': volume({ secret: { secretName: 's' } }),
  'network storage': volume({ nfs: { server: 's', path: '/' } }),
}
for (const [what, pod] of Object.entries(harmless))
  baseline(`allows ${what}`, () => {
    assert.is(violations(pod, 'baseline'), '')
  })

const harmful: Record<string, [pod: PodLike, reason: string]> = {
  'the network of the node': [aPod({ hostNetwork: true }), 'host namespaces'],
  'the processes of the node': [aPod({ hostPID: true }), 'host namespaces'],
  'the shared memory of the node': [aPod({ hostIPC: true }), 'host namespaces'],
  'files of the node': [volume({ hostPath: { path: '/' } }), 'hostPath volumes'],
  'ports of the node': [
    aPod({ initContainers: [aContainer({ ports: [{ containerPort: 80, hostPort: 80 }] })] }),
    'hostPort',
  ],
  'privileged containers': [withContext({ privileged: true }), 'privileged'],
  'unusual capabilities': [withContext({ capabilities: { add: ['SYS_ADMIN'] } }), 'non-default capabilities'],
  'all capabilities': [withContext({ capabilities: { add: ['ALL'] } }), 'non-default capabilities'],
  'an open /proc': [withContext({ procMount: 'Unmasked' }), 'procMount'],
  'another SELinux type': [withContext({ seLinuxOptions: { type: 'spc_t' } }), 'seLinuxOptions'],
  'a SELinux user': [aPod({ securityContext: { seLinuxOptions: { user: 'u' } } }), 'seLinuxOptions'],
  'unfiltered system calls': [withContext({ seccompProfile: { type: 'Unconfined' } }), 'seccompProfile'],
  'unfiltered system calls of the Pod': [
    aPod({ securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    'seccompProfile',
  ],
  'an unsafe sysctl': [
    aPod({ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
    'forbidden sysctl',
  ],
  'no AppArmor': [
    aPod({}, { annotations: { [`${acmeNames.appArmorContainer}c`]: 'unconfined' } }),
    'forbidden AppArmor profile',
  ],
  'processes of a Windows node': [withContext({ windowsOptions: { hostProcess: true } }), 'hostProcess'],
  'anything of it in a debug container': [
    aPod({ ephemeralContainers: [aContainer({ name: 'debug', securityContext: { privileged: true } })] }),
    'privileged',
  ],
}
for (const [what, [pod, reason]] of Object.entries(harmful))
  baseline(`forbids ${what}; the privileged standard allows it, the restricted one does not`, () => {
    assert.is(violations(pod, 'baseline'), reason)
    assert.is(violations(pod, 'privileged'), '')
    assert.is.not(violations(pod, 'restricted'), '')
  })

baseline('looked at annotations before 1.19, and looks at fields since', () => {
  const field = withContext({ seccompProfile: { type: 'Unconfined' } })
  const annotation = aPod({}, { annotations: { [`${acmeNames.seccompContainer}c`]: 'unconfined' } })
  assert.is(violations(field, 'baseline', 18), '')
  assert.is(violations(annotation, 'baseline', 18), 'seccompProfile')
  assert.is(violations(field, 'baseline', 19), 'seccompProfile')
  assert.is(violations(annotation, 'baseline', 19), '')
})
baseline.run()

const restricted = suite('the restricted standard')

const modest: Record<string, PodLike> = {
  'a Pod whose containers give up everything': aCarefulPod(),
  'what the Pod says for all containers': aPod({
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost', localhostProfile: 'p' } },
    containers: [aContainer({ securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } })],
  }),
  'low ports': aCarefulPod({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }),
  'volumes that the API provides': aCarefulPod(
    {},
    {
      volumes: [
        { name: 'a', secret: {} },
        { name: 'b', persistentVolumeClaim: { claimName: 'c' } },
        { name: 'c', emptyDir: {} },
        { name: 'd', projected: {} },
        { name: 'e', csi: { driver: 'd' } },
      ],
    },
  ),
}
for (const [what, pod] of Object.entries(modest))
  restricted(`allows ${what}`, () => {
    assert.is(violations(pod, 'restricted'), '')
  })

const careless: Record<string, [pod: PodLike, reason: string]> = {
  'gaining powers': [aCarefulPod({ allowPrivilegeEscalation: true }), 'allowPrivilegeEscalation != false'],
  'keeping capabilities': [aCarefulPod({ capabilities: { drop: ['KILL'] } }), 'unrestricted capabilities'],
  'adding capabilities': [
    aCarefulPod({ capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
    'unrestricted capabilities',
  ],
  'running as root': [aCarefulPod({ runAsNonRoot: false }), 'runAsNonRoot != true'],
  'a Pod that may run as root, whatever its containers say': [
    aCarefulPod({}, { securityContext: { runAsNonRoot: false } }),
    'runAsNonRoot != true',
  ],
  'the user 0': [aCarefulPod({ runAsUser: 0 }), 'runAsUser=0'],
  'the user 0 of the Pod': [aCarefulPod({}, { securityContext: { runAsUser: 0 } }), 'runAsUser=0'],
  'unfiltered system calls': [aCarefulPod({ seccompProfile: { type: 'Unconfined' } }), 'seccompProfile'],
  'storage of another kind': [
    aCarefulPod({}, { volumes: [{ name: 'v', nfs: { server: 's', path: '/' } }] }),
    'restricted volume types',
  ],
  'files of the node, told once': [
    aCarefulPod({}, { volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
    'restricted volume types',
  ],
  'what the baseline forbids': [aCarefulPod({}, { hostNetwork: true }), 'host namespaces'],
}
for (const [what, [pod, reason]] of Object.entries(careless))
  restricted(`forbids ${what}`, () => {
    assert.is(violations(pod, 'restricted'), reason)
  })

restricted('names everything that is missing, in a sentence', () => {
  assert.is(
    details(aPod(), 'restricted'),
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), ' +
      'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), ' +
      'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), ' +
      'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  )
  const two = aPod({ containers: ['a', 'b'].map(name => aContainer({ name, securityContext: { privileged: true } })) })
  assert.is(details(two, 'baseline'), 'privileged (containers "a", "b" must not set securityContext.privileged=true)')
})

const history: [version: Version, reasons: string][] = [
  [7, 'runAsNonRoot != true'],
  [8, 'allowPrivilegeEscalation != false, runAsNonRoot != true'],
  [19, 'allowPrivilegeEscalation != false, runAsNonRoot != true, seccompProfile'],
  [22, 'allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile'],
  [
    23,
    'allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, runAsUser=0, seccompProfile',
  ],
  [
    99,
    'allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, runAsUser=0, seccompProfile',
  ],
]
for (const [version, reasons] of history)
  restricted(`is what it was in 1.${version}`, () => {
    assert.is(violations(aPod({ securityContext: { runAsUser: 0 } }), 'restricted', version), reasons)
  })
restricted.run()
