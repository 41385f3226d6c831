import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { container, problems } from './testing/pod-spec-problems.js'

const validation = suite('validation of pod specs')
const nodeTerms = (...matchExpressions: object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  },
})
const must = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution'

const cases: Record<string, [change: object, ...wrong: string[]]> = {
  'accepts the least a Pod has': [{}],
  'refuses no container': [{ containers: null }, 'spec.containers Required'],
  'refuses a name twice': [{ containers: [container, container] }, 'spec.containers[1].name Duplicate'],
  'refuses a seccomp profile without a file': [
    { securityContext: { seccompProfile: { type: 'Localhost' } } },
    'spec.securityContext.seccompProfile.localhostProfile Required',
  ],
  'refuses a kernel parameter twice': [
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
  'tells what is wrong with the selector of an affinity where it stands': [
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
  'refuses a kernel parameter written as a path': [
    { securityContext: { sysctls: [{ name: 'net/ipv4', value: '1' }] } },
    'spec.securityContext.sysctls[0].name Invalid',
  ],
  'accepts any key to spread by': [
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: 'DoNotSchedule' }] },
  ],
  'refuses an empty label of a node, for each rule it breaks': [
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
  'refuses processes of the host beside containers, and without its network': [
    {
      securityContext: { windowsOptions: { hostProcess: true } },
      containers: [container, { ...container, name: 'd', securityContext: { windowsOptions: { hostProcess: false } } }],
    },
    'spec.containers[1].securityContext.windowsOptions.hostProcess Invalid',
    'spec Invalid',
    'spec.hostNetwork Invalid',
  ],
  'accepts processes of the host only': [
    { securityContext: { windowsOptions: { hostProcess: true } }, hostNetwork: true },
  ],
  'refuses a Windows user of nothing': [
    { securityContext: { windowsOptions: { runAsUserName: '' } } },
    'spec.securityContext.windowsOptions.runAsUserName Invalid',
  ],
  'tells everything that is wrong with a Windows user': [
    {
      securityContext: { windowsOptions: { runAsUserName: `${'a'.repeat(64)}.test\\${'u'.repeat(105)}@` } },
    },
    ...[1, 2, 3].map(() => 'spec.securityContext.windowsOptions.runAsUserName Invalid'),
  ],
  'refuses an operator without values': [
    nodeTerms({ key: 'a', operator: 'In' }),
    `${must}.nodeSelectorTerms[0].matchExpressions[0].values Required`,
  ],
  'refuses an operator nobody knows': [
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
  'refuses a spread of nothing': [
    { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Maybe' }] },
    'spec.topologySpreadConstraints[0].maxSkew Invalid',
    'spec.topologySpreadConstraints[0].whenUnsatisfiable NotSupported',
    'spec.topologySpreadConstraints[0].topologyKey Required',
  ],
  'refuses no DNS at all': [{ dnsPolicy: 'None' }, 'spec.dnsConfig Required'],
  'refuses too many name servers': [
    { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', 'x'] } },
    'spec.dnsConfig.nameservers Invalid',
    'spec.dnsConfig.nameservers[3] Invalid',
  ],
  'refuses a toleration without a key': [
    { tolerations: [{ operator: 'Equal' }] },
    'spec.tolerations[0].operator Invalid',
  ],
  'refuses a time for another effect': [
    { tolerations: [{ key: 'a', tolerationSeconds: 1 }] },
    'spec.tolerations[0].effect Invalid',
  ],
  'refuses an alias of no address': [
    { hostAliases: [{ ip: 'x', hostnames: ['A'] }] },
    'spec.hostAliases.ip Invalid',
    'spec.hostAliases.hostnames Invalid',
  ],
  'refuses names that are none': [
    { serviceAccountName: 'A', nodeName: 'B', hostname: 'c.d', priorityClassName: 'E', runtimeClassName: 'F' },
    'spec.serviceAccountName Invalid',
    'spec.nodeName Invalid',
    'spec.hostname Invalid',
    'spec.priorityClassName Invalid',
    'spec.runtimeClassName Invalid',
  ],
  'refuses a deadline of nothing': [{ activeDeadlineSeconds: 0 }, 'spec.activeDeadlineSeconds Invalid'],
}
for (const [title, [change, ...wrong]] of Object.entries(cases))
  validation(title, () => {
    assert.equal(problems(change), wrong)
  })

validation.run()
