import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile, defaultOptions } from '../testing/acme.js'
import { persistentVolumeClaims } from './resource.js'
import type { PersistentVolumeClaim } from './schema.js'

const conformance = suite('claims serve the whole API')

for (const { name, run } of resourceConformance<PersistentVolumeClaim>({
  resource: persistentVolumeClaims(acmeNames, defaultOptions),
  vendor: acmeProfile,
  valid: () => ({
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: '' },
  }),
  invalid: {
    'no storage': object => {
      object.spec = { ...object.spec, resources: {} }
    },
    'an unknown access mode': object => {
      object.spec = { ...object.spec, accessModes: ['Sometimes'] }
    },
  },
  update: object => {
    object.spec = { ...object.spec, volumeName: 'chosen' }
  },
})) {
  conformance(name, run)
}

conformance.run()
