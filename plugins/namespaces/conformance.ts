import type { ConformanceSamples } from 'orch/sdk'
import type { Namespace } from 'orch/sdk/core'

/** Samples for `orch conformance`. The namespaced type is for the admission controls. */
export const conformance = {
  plugins: ['orch/plugins/configuration'],
  samples: {
    namespaces: {
      valid: (): Namespace => ({}),
      invalid: {
        'an unknown finalizer': (namespace: Namespace) => {
          namespace.spec = { finalizers: ['unknown'] }
        },
      },
    },
    configmaps: { valid: () => ({ data: { color: 'blue' } }) },
  },
} satisfies ConformanceSamples
