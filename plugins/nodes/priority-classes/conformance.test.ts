import { orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { nodeNames } from '../names.js'
import { priorityClasses } from './resource.js'
import type { PriorityClass } from './schema.js'

const vendor = { ...orchProfile, domain: 'acme.test', groupDomain: 'acme.test' }
const names = nodeNames(new Vendor(vendor))

const conformance = suite('priority classes serve the whole API')

for (const { name, run } of resourceConformance<PriorityClass>({
  resource: priorityClasses(names),
  vendor,
  valid: () => ({ value: 7 }),
  invalid: {
    'a value only the system has': object => {
      object.value = 1_000_000_001
    },
    'an unknown preemption policy': object => {
      object.preemptionPolicy = 'Sometimes'
    },
  },
  update: object => {
    object.description = 'seven'
  },
})) {
  conformance(name, run)
}

conformance.run()
