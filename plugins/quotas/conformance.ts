import type { ConformanceSamples } from 'orch/sdk'

/** Samples for `orch conformance`: what is limited and charged. Limits and quotas themselves are types of `nodes`. */
export const conformance = {
  plugins: ['orch/plugins/nodes', 'orch/plugins/workloads', 'orch/plugins/configuration'],
  samples: {
    pods: { valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }) },
    configmaps: { valid: () => ({ data: { color: 'blue' } }) },
    resourcequotas: { valid: () => ({ spec: { hard: { pods: '10', configmaps: '10' } } }) },
  },
} satisfies ConformanceSamples
