import type { ConformanceSamples } from 'orch/sdk'
import type { LimitRange } from './limit-ranges/schema.js'
import type { ResourceQuota } from './resource-quotas/schema.js'

/** Samples for `orch conformance`: the two types, and types that they limit. */
export const conformance = {
  plugins: ['orch/plugins/workloads', 'orch/plugins/configuration'],
  samples: {
    pods: { valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }) },
    configmaps: { valid: () => ({ data: { color: 'blue' } }) },
    limitranges: {
      valid: (): LimitRange => ({ spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }),
      invalid: {
        'an unknown type': (object: LimitRange) => {
          object.spec = { limits: [{ type: 'Bogus' }] }
        },
        'a minimum above the maximum': (object: LimitRange) => {
          object.spec = { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] }
        },
      },
    },
    resourcequotas: {
      valid: (): ResourceQuota => ({ spec: { hard: { pods: '10', configmaps: '10' } } }),
      invalid: {
        'an unknown resource': (object: ResourceQuota) => {
          object.spec = { hard: { bogus: '1' } }
        },
        'a fractional number of Pods': (object: ResourceQuota) => {
          object.spec = { hard: { pods: '0.5' } }
        },
      },
      update: (object: ResourceQuota) => {
        object.spec = { hard: { pods: '20' } }
      },
    },
  },
} satisfies ConformanceSamples
