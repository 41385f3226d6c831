import type { ConformanceSamples } from 'orch/sdk'
import type { ConfigMap, Secret } from 'orch/sdk/core'

/** Samples for `orch conformance`. */
export const conformance = {
  samples: {
    configmaps: {
      valid: (): ConfigMap => ({ data: { color: 'blue' } }),
      invalid: {
        'a key with a slash': (object: ConfigMap) => {
          object.data = { 'a/b': 'x' }
        },
        'a key in data and binaryData': (object: ConfigMap) => {
          object.binaryData = { color: 'AA==' }
        },
      },
      update: (object: ConfigMap) => {
        object.data = { ...object.data, color: 'green' }
      },
    },
    secrets: {
      valid: (): Secret => ({ data: { password: 'c2VjcmV0' } }),
      invalid: {
        'a key with a slash': (object: Secret) => {
          object.data = { 'a/b': 'eA==' }
        },
      },
      update: (object: Secret) => {
        object.data = { ...object.data, user: 'bWU=' }
      },
    },
  },
} satisfies ConformanceSamples
