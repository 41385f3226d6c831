import type { ConformanceSamples } from 'orch/sdk'
import type { Namespace } from 'orch/sdk/core'

/** Samples for `orch conformance`. The objects inside namespaces are for the controls that look at those. */
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
