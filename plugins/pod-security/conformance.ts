import type { ConformanceSamples } from 'orch/sdk'
import type { PodSecurityPolicy } from './pod-security-policies/schema.js'

const any = { rule: 'RunAsAny' }
const policy = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any }

/** Samples for `orch conformance`: policies, and objects that the controls check. */
export const conformance = {
  samples: {
    pods: { valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }) },
    namespaces: { valid: () => ({}) },
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
