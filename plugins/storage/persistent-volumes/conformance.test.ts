import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acmeNames, acmeProfile } from '../testing/acme.js'
import { persistentVolumes } from './resource.js'
import type { PersistentVolume } from './schema.js'

const conformance = suite('persistent volumes serve the whole API')

for (const { name, run } of resourceConformance<PersistentVolume>({
  resource: persistentVolumes(acmeNames),
  vendor: acmeProfile,
  valid: () => ({
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' } },
  }),
  invalid: {
    'no source': object => {
      delete object.spec?.hostPath
    },
    'two sources': object => {
      object.spec = { ...object.spec, nfs: { server: 'a', path: '/' } }
    },
    'a capacity of something else': object => {
      object.spec = { ...object.spec, capacity: { cpu: '1' } }
    },
  },
  update: object => {
    object.spec = { ...object.spec, persistentVolumeReclaimPolicy: 'Delete' }
  },
})) {
  conformance(name, run)
}

conformance.run()
