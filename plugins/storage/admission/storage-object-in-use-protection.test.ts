import type { ApiObject } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import { reviewWith } from '../testing/review.js'
import { storageObjectInUseProtection } from './storage-object-in-use-protection.js'

const control = suite('StorageObjectInUseProtection')
const cases = {
  'marks a claim': { resource: 'persistentvolumeclaims', sent: undefined, kept: ['acme.test/pvc-protection'] },
  'marks a volume': { resource: 'persistentvolumes', sent: undefined, kept: ['acme.test/pv-protection'] },
  'keeps the finalizers that are there': {
    resource: 'persistentvolumes',
    sent: ['example.com/mine'],
    kept: ['example.com/mine', 'acme.test/pv-protection'],
  },
  'marks nothing twice': {
    resource: 'persistentvolumeclaims',
    sent: ['acme.test/pvc-protection'],
    kept: ['acme.test/pvc-protection'],
  },
}
for (const [title, { resource, sent, kept }] of Object.entries(cases))
  control(title, async () => {
    const object: ApiObject = { metadata: { name: 'a', ...(sent ? { finalizers: sent } : {}) } }
    await reviewWith(storageObjectInUseProtection(acmeNames), { resource, object })
    assert.equal(object.metadata.finalizers, kept)
  })

control.run()
