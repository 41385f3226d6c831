import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { csiDrivers } from './resource.js'
import type { CSIDriver } from './schema.js'

const conformance = suite('CSI drivers serve the whole API')

for (const { name, run } of resourceConformance<CSIDriver>({
  resource: csiDrivers(acmeNames),
  vendor: acmeProfile,
  valid: () => ({ spec: {} }),
  invalid: {
    'an unknown lifecycle': object => {
      object.spec.volumeLifecycleModes = ['Forever']
    },
    'a token that ends at once': object => {
      object.spec.tokenRequests = [{ audience: 'a', expirationSeconds: 1 }]
    },
  },
  update: object => {
    object.spec.storageCapacity = true
  },
})) {
  conformance(name, run)
}

conformance.run()
