import type { ConformanceSamples, Pod } from 'orch/sdk'
import type { Endpoints } from './endpoints/schema.js'
import type { PodDisruptionBudget } from './pod-disruption-budgets/schema.js'
import type { PodSecurityPolicy } from './pod-security-policies/schema.js'
import type { PodTemplate } from './pod-templates/schema.js'
import type { ReplicationController } from './replication-controllers/schema.js'
import type { Service } from './services/schema.js'

const podSpec = { containers: [{ name: 'c', image: 'i' }] }
const template = { metadata: { labels: { app: 'a' } }, spec: podSpec }
const any = { rule: 'RunAsAny' }
const policy = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any }

/** Samples for `orch conformance`. */
export const conformance = {
  samples: {
    pods: {
      valid: (): Pod => ({ metadata: {}, spec: structuredClone(podSpec) }),
      invalid: {
        'no container': (object: Pod) => {
          object.spec.containers = []
        },
        'a volume without a source': (object: Pod) => {
          object.spec.volumes = [{ name: 'v' }]
        },
      },
      update: (object: Pod) => {
        object.spec.containers = [{ ...object.spec.containers[0]!, image: 'other' }]
      },
    },
    podtemplates: {
      valid: (): PodTemplate => ({ template: { spec: podSpec } }),
      invalid: {
        'no container': (object: PodTemplate) => {
          object.template = {}
        },
      },
    },
    replicationcontrollers: {
      valid: (): ReplicationController => ({ spec: { replicas: 2, template } }),
      invalid: {
        'fewer than no Pods': (object: ReplicationController) => {
          object.spec = { replicas: -1, template }
        },
        'a selector of other Pods': (object: ReplicationController) => {
          object.spec = { selector: { app: 'b' }, template }
        },
      },
      update: (object: ReplicationController) => {
        object.spec = { ...object.spec, replicas: 3 }
      },
    },
    services: {
      valid: (): Service => ({ spec: { ports: [{ port: 80 }] } }),
      invalid: {
        'no ports': (object: Service) => {
          object.spec = {}
        },
        'a port out of range': (object: Service) => {
          object.spec = { ports: [{ port: 70_000 }] }
        },
      },
      update: (object: Service) => {
        object.spec = { ...object.spec, selector: { app: 'a' } }
      },
    },
    endpoints: {
      valid: (): Endpoints => ({ subsets: [{ addresses: [{ ip: '10.1.2.3' }], ports: [{ port: 80 }] }] }),
      invalid: {
        'a loopback address': (object: Endpoints) => {
          object.subsets = [{ addresses: [{ ip: '127.0.0.1' }] }]
        },
        'no addresses': (object: Endpoints) => {
          object.subsets = [{ ports: [{ port: 80 }] }]
        },
      },
    },
    'poddisruptionbudgets.policy': {
      valid: (): PodDisruptionBudget => ({ spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }),
      invalid: {
        'both shares': (object: PodDisruptionBudget) => {
          object.spec = { minAvailable: 1, maxUnavailable: 1 }
        },
        'more than all': (object: PodDisruptionBudget) => {
          object.spec = { minAvailable: '101%' }
        },
      },
      update: (object: PodDisruptionBudget) => {
        object.spec = { ...object.spec, minAvailable: 2 }
      },
    },
    'podsecuritypolicies.policy': {
      valid: (): PodSecurityPolicy => ({ spec: policy }),
      invalid: {
        'an unknown rule': (object: PodSecurityPolicy) => {
          object.spec = { ...policy, runAsUser: { rule: 'Bogus' } }
        },
        'an unknown volume source': (object: PodSecurityPolicy) => {
          object.spec = { ...policy, volumes: ['bogus'] }
        },
      },
    },
  },
} satisfies ConformanceSamples
