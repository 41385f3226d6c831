import type { ConformanceSamples } from 'orch/sdk'

/** Samples for `orch conformance`: an object with an owner, for the admission control. */
export const conformance = {
  plugins: ['orch/plugins/configuration'],
  samples: {
    configmaps: {
      valid: () => ({ data: { color: 'blue' } }),
      update: (object: { metadata: { ownerReferences?: object[] } }) => {
        object.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'of-the-owner' }]
      },
    },
  },
} satisfies ConformanceSamples
