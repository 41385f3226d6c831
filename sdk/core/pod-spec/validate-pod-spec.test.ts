import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { kubernetesProfile, profileAtVersion, Vendor } from '../../plugin/vendor.js'
import type { PodSpec } from '../pod-spec.js'
import { container, problems } from './testing/pod-spec-problems.js'
import { validatePodSpec } from './validate-pod-spec.js'

const validation = suite('validation of pod specs')
const nodeTerms = (...matchExpressions: object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  },
})
const must = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution'

const cases: Record<string, [change: object, ...wrong: string[]]> = {
  'accepts a minimal Pod': [{}],
  'refuses a Pod without containers': [{ containers: null }, 'spec.containers Required'],
  'refuses duplicate container names': [{ containers: [container, container] }, 'spec.containers[1].name Duplicate'],
  'refuses a seccomp profile without a file': [
    { securityContext: { seccompProfile: { type: 'Localhost' } } },
    'spec.securityContext.seccompProfile.localhostProfile Required',
  ],
  'refuses duplicate sysctls': [
    {
      securityContext: {
        sysctls: [
          { name: 'a.b', value: '1' },
          { name: 'a.b', value: '2' },
        ],
      },
    },
    'spec.securityContext.sysctls[1].name Duplicate',
  ],
  'reports errors of an affinity selector at its field': [
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'a', labelSelector: { matchLabels: { 'a b': 'c' } } },
          ],
        },
      },
    },
    'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchLabels Invalid',
  ],
  'accepts a sysctl written as a path': [{ securityContext: { sysctls: [{ name: 'net/ipv4', value: '1' }] } }],
  'refuses a sysctl with an empty part': [
    { securityContext: { sysctls: [{ name: 'net//ipv4', value: '1' }] } },
    'spec.securityContext.sysctls[0].name Invalid',
  ],
  'accepts any topology key': [
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: 'DoNotSchedule' }] },
  ],
  'refuses an empty node label, with one error per broken rule': [
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: '', operator: 'Exists' }] }],
          },
        },
      },
    },
    ...[1, 2].map(
      () =>
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key Invalid',
    ),
  ],
  'refuses host processes beside containers, or without hostNetwork': [
    {
      securityContext: { windowsOptions: { hostProcess: true } },
      containers: [container, { ...container, name: 'd', securityContext: { windowsOptions: { hostProcess: false } } }],
    },
    'spec.containers[1].securityContext.windowsOptions.hostProcess Invalid',
    'spec Invalid',
    'spec.hostNetwork Invalid',
  ],
  'accepts only host processes': [{ securityContext: { windowsOptions: { hostProcess: true } }, hostNetwork: true }],
  'refuses an empty Windows user': [
    { securityContext: { windowsOptions: { runAsUserName: '' } } },
    'spec.securityContext.windowsOptions.runAsUserName Invalid',
  ],
  'reports all errors of a Windows user': [
    {
      securityContext: { windowsOptions: { runAsUserName: `${'a'.repeat(64)}.test\\${'u'.repeat(105)}@` } },
    },
    ...[1, 2, 3].map(() => 'spec.securityContext.windowsOptions.runAsUserName Invalid'),
  ],
  'refuses an operator without values': [
    nodeTerms({ key: 'a', operator: 'In' }),
    `${must}.nodeSelectorTerms[0].matchExpressions[0].values Required`,
  ],
  'refuses an unknown operator': [
    nodeTerms({ key: 'a', operator: 'Like' }),
    `${must}.nodeSelectorTerms[0].matchExpressions[0].operator Invalid`,
  ],
  'refuses a weight out of range': [
    {
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, podAffinityTerm: { topologyKey: 'a' } }],
        },
      },
    },
    'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight Invalid',
  ],
  'refuses an empty topology spread constraint': [
    { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Maybe' }] },
    'spec.topologySpreadConstraints[0].maxSkew Invalid',
    'spec.topologySpreadConstraints[0].whenUnsatisfiable NotSupported',
    'spec.topologySpreadConstraints[0].topologyKey Required',
  ],
  'refuses DNS policy None without settings': [{ dnsPolicy: 'None' }, 'spec.dnsConfig Required'],
  'refuses too many name servers': [
    { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', 'x'] } },
    'spec.dnsConfig.nameservers Invalid',
    'spec.dnsConfig.nameservers[3] Invalid',
  ],
  'refuses a toleration without a key': [
    { tolerations: [{ operator: 'Equal' }] },
    'spec.tolerations[0].operator Invalid',
  ],
  'refuses tolerationSeconds with another effect': [
    { tolerations: [{ key: 'a', tolerationSeconds: 1 }] },
    'spec.tolerations[0].effect Invalid',
  ],
  'refuses a host alias without a valid address': [
    { hostAliases: [{ ip: 'x', hostnames: ['A'] }] },
    'spec.hostAliases.ip Invalid',
    'spec.hostAliases.hostnames Invalid',
  ],
  'refuses invalid names': [
    { serviceAccountName: 'A', nodeName: 'B', hostname: 'c.d', priorityClassName: 'E', runtimeClassName: 'F' },
    'spec.serviceAccountName Invalid',
    'spec.nodeName Invalid',
    'spec.hostname Invalid',
    'spec.priorityClassName Invalid',
    'spec.runtimeClassName Invalid',
  ],
  'refuses a deadline of zero': [{ activeDeadlineSeconds: 0 }, 'spec.activeDeadlineSeconds Invalid'],
}
for (const [title, [change, ...wrong]] of Object.entries(cases))
  validation(title, () => {
    assert.equal(problems(change), wrong)
  })

const impossible = {
  ...nodeTerms({ key: 'a', operator: 'In', values: ['-bad-'] }),
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'a',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['-bad-'] }] },
    },
  ],
}
Object.assign(impossible.affinity, {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'a', labelSelector: impossible.topologySpreadConstraints[0]?.labelSelector },
    ],
  },
})
const inNodes = `${must}.nodeSelectorTerms[0].matchExpressions[0].values[0] Invalid`
const inPods =
  'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0].values[0] Invalid'
const inSpread = 'spec.topologySpreadConstraints[0].labelSelector.matchExpressions[0].values[0] Invalid'
for (const [version, ...wrong] of [
  ['1.25'],
  ['1.26', inPods],
  ['1.32', inPods, inSpread],
  ['1.33', inNodes, inPods, inSpread],
])
  validation(`refuses values that no label can have, unless they are stored, at ${version}`, () => {
    const vendor = new Vendor(profileAtVersion(kubernetesProfile, version!)!)
    const spec = {
      containers: [container],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      ...impossible,
    } as PodSpec
    const errorsWith = (stored?: PodSpec) =>
      validatePodSpec(spec, 'spec', { podName: 'p', vendor, stored }).map(
        ({ field, type }) => `${field} ${type.slice(10)}`,
      )
    assert.equal(errorsWith(), wrong)
    assert.equal(errorsWith(spec), [])
  })

validation('checks the keys of a topology spread without a selector until they are merged into it', () => {
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['a b'] }
  const at = 'spec.topologySpreadConstraints[0].matchLabelKeys'
  const wrongAt = (version: string) => {
    const vendor = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    const base = { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' }
    const spec = { ...base, topologySpreadConstraints: [constraint] } as PodSpec
    return validatePodSpec(spec, 'spec', { podName: 'p', vendor }).map(
      ({ field, type }) => `${field} ${type.slice(10)}`,
    )
  }
  assert.equal(wrongAt('1.33'), [`${at} Forbidden`, `${at}[0] Invalid`])
  assert.equal(wrongAt('1.34'), [`${at} Forbidden`])
})

validation('a Pod with a policy for labels of volumes may change it', () => {
  const vendor = new Vendor(profileAtVersion(kubernetesProfile, '1.36')!)
  const withPolicy = (seLinuxChangePolicy: string) =>
    ({
      containers: [container],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      securityContext: { seLinuxChangePolicy },
    }) as PodSpec
  const wrong = (stored?: PodSpec) =>
    validatePodSpec(withPolicy('MountOption'), 'spec', { podName: 'p', vendor, stored }).map(({ field }) => field)
  assert.equal(wrong(), ['spec.securityContext.seLinuxChangePolicy'])
  assert.equal(wrong(withPolicy('Recursive')), [])
})

validation('long lists of label keys are compared quickly', () => {
  const keysOf = (prefix: string) => Array.from({ length: 40_000 }, (_, i) => `${prefix}${i}`)
  const [match, mismatch] = [keysOf('a'), keysOf('b')]
  const term = {
    topologyKey: 'zone',
    matchLabelKeys: [...match, 'both'],
    mismatchLabelKeys: [...mismatch, 'both'],
    labelSelector: { matchExpressions: keysOf('c').map(key => ({ key, operator: 'Exists' })) },
  }
  const at = 'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0]'
  const cpu = process.cpuUsage()
  assert.equal(problems({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }), [
    `${at}.matchLabelKeys[40000] Invalid`,
  ])
  assert.ok(process.cpuUsage(cpu).user < 2_000_000, 'took more than two seconds')
})

const claimSpec = 'spec.volumes[0].ephemeral.volumeClaimTemplate.spec'
const wrongClaims = {
  '1.25': [],
  '1.26': [`${claimSpec}.selector.matchExpressions[0].values[0] Invalid`],
  '1.30': [`${claimSpec}.selector.matchExpressions[0].values[0] Invalid`, `${claimSpec}.dataSource.apiGroup Invalid`],
  '1.36': [
    `${claimSpec}.selector.matchExpressions[0].values[0] Invalid`,
    `${claimSpec}.dataSource.apiGroup Invalid`,
    `${claimSpec}.volumeAttributesClassName Invalid`,
  ],
}
for (const [version, wrong] of Object.entries(wrongClaims))
  validation(`checks the claims of ephemeral volumes as ${version} does`, () => {
    const vendor = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    const claim = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      selector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b!'] }] },
      dataSource: { apiGroup: 'No Group', kind: 'K', name: 'n' },
      volumeAttributesClassName: 'No Name',
    }
    const spec = {
      containers: [container],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } }],
    } as PodSpec
    assert.equal(
      validatePodSpec(spec, 'spec', { podName: 'p', vendor }).map(({ field, type }) => `${field} ${type.slice(10)}`),
      wrong,
    )
  })

validation.run()
