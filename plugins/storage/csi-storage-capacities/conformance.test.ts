import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { csiStorageCapacities } from './resource.js'
import type { CSIStorageCapacity } from './schema.js'

const conformance = suite('storage capacities serve the whole API')

for (const { name, run } of resourceConformance<CSIStorageCapacity>({
  resource: csiStorageCapacities(acmeNames),
  vendor: acmeProfile,
  valid: () => ({ storageClassName: 'fast', capacity: '5Gi' }),
  invalid: {
    'no class': object => {
      object.storageClassName = ''
    },
    'less than nothing': object => {
      object.capacity = '-1'
    },
  },
  update: object => {
    object.capacity = '4Gi'
  },
})) {
  conformance(name, run)
}

conformance.run()
