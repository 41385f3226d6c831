import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { storageClasses } from './resource.js'
import type { StorageClass } from './schema.js'

const conformance = suite('storage classes serve the whole API')

for (const { name, run } of resourceConformance<StorageClass>({
  resource: storageClasses(acmeNames),
  vendor: acmeProfile,
  valid: () => ({ provisioner: 'example.com/disks' }),
  invalid: {
    'no provisioner': object => {
      object.provisioner = ''
    },
    'a reclaim policy that classes cannot have': object => {
      object.reclaimPolicy = 'Recycle'
    },
  },
  update: object => {
    object.allowVolumeExpansion = true
  },
})) {
  conformance(name, run)
}

conformance.run()
