import type { ConformanceSamples } from 'orch/sdk'
import type { ServiceAccount } from './service-accounts/schema.js'

/** Samples for `orch conformance`. Pods exercise the admission control ServiceAccount. */
export const conformance = {
  plugins: ['orch/plugins/workloads'],
  objects: [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }],
  samples: {
    serviceaccounts: {
      valid: (): ServiceAccount => ({ secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }] }),
      update: (object: ServiceAccount) => {
        object.automountServiceAccountToken = false
      },
    },
    pods: { valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }) },
  },
} satisfies ConformanceSamples
