import type { ConformanceSamples, Vendor } from 'orch/sdk'
import { aggregationNames } from './names.js'

interface Sample {
  metadata: { name: string }
  spec: Record<string, unknown>
}

/** Samples for `orch conformance`. The name of an APIService follows from its group and version, so each sample has its own group. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { group } = aggregationNames(vendor)
  let made = 0
  return {
    samples: {
      [`apiservices.${group}`]: {
        valid: (): Sample => {
          const sampled = `samples${++made}.example.com`
          const priorities = { groupPriorityMinimum: 100, versionPriority: 10 }
          return { metadata: { name: `v1.${sampled}` }, spec: { group: sampled, version: 'v1', ...priorities } }
        },
        invalid: {
          'a priority that is too high': (object: Sample) => {
            object.spec['versionPriority'] = 1001
          },
          'a name that does not match the group': (object: Sample) => {
            object.spec['group'] = 'others.example.com'
          },
        },
        update: (object: Sample) => {
          object.spec['versionPriority'] = 20
        },
      },
    },
  }
}
