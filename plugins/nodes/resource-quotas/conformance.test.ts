import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { resourceQuotas } from './resource.js'
import type { ResourceQuota } from './schema.js'

const conformance = suite('resource quotas serve the whole API')

for (const { name, run } of resourceConformance<ResourceQuota>({
  resource: resourceQuotas,
  valid: () => ({ spec: { hard: { pods: '10' } } }),
  invalid: {
    'an unknown resource': object => {
      object.spec = { hard: { bogus: '1' } }
    },
    'half a Pod': object => {
      object.spec = { hard: { pods: '0.5' } }
    },
  },
  update: object => {
    object.spec = { hard: { pods: '20' } }
  },
})) {
  conformance(name, run)
}

conformance.run()
