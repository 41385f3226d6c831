import type { ConformanceSamples } from 'orch/sdk'

/** Samples for `orch conformance`: what the controls judge. */
export const conformance = {
  samples: {
    pods: { valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }) },
    namespaces: { valid: () => ({}) },
  },
} satisfies ConformanceSamples
