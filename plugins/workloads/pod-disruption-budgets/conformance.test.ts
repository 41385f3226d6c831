import { orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { podDisruptionBudgets } from './resource.js'
import type { PodDisruptionBudget } from './schema.js'

const vendor = { ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' }

const conformance = suite('pod disruption budgets serve the whole API')

for (const { name, run } of resourceConformance<PodDisruptionBudget>({
  resource: podDisruptionBudgets(new Vendor(vendor)),
  vendor,
  valid: () => ({ spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }),
  invalid: {
    'both shares': object => {
      object.spec = { minAvailable: 1, maxUnavailable: 1 }
    },
    'more than all': object => {
      object.spec = { minAvailable: '101%' }
    },
  },
  update: object => {
    object.spec = { ...object.spec, minAvailable: 2 }
  },
})) {
  conformance(name, run)
}

conformance.run()
