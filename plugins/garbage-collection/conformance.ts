import type { ConformanceSamples } from 'orch/sdk'

/** Samples for `orch conformance`: something that is owned, for the control that protects owners. */
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
