import type { ApiObject } from 'orch/sdk'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import { reviewWith } from '../testing/review.js'
import { storageObjectInUseProtection } from './storage-object-in-use-protection.js'

const control = suite('StorageObjectInUseProtection')
const cases = {
  'adds a finalizer to a claim': {
    resource: 'persistentvolumeclaims',
    sent: undefined,
    kept: ['acme.test/pvc-protection'],
  },
  'adds a finalizer to a volume': { resource: 'persistentvolumes', sent: undefined, kept: ['acme.test/pv-protection'] },
  'keeps existing finalizers': {
    resource: 'persistentvolumes',
    sent: ['example.com/mine'],
    kept: ['example.com/mine', 'acme.test/pv-protection'],
  },
  'adds the finalizer only once': {
    resource: 'persistentvolumeclaims',
    sent: ['acme.test/pvc-protection'],
    kept: ['acme.test/pvc-protection'],
  },
}
for (const [title, { resource, sent, kept }] of Object.entries(cases))
  control(title, async () => {
    const object: ApiObject = { metadata: { name: 'a', ...(sent ? { finalizers: sent } : {}) } }
    await reviewWith(storageObjectInUseProtection(acmeNames, true), { resource, object })
    assert.equal(object.metadata.finalizers, kept)
  })

control('applies on a dry run too', async () => {
  const object: ApiObject = { metadata: { name: 'a' } }
  const tried = await admit(
    storageObjectInUseProtection(acmeNames, true),
    { resource: 'persistentvolumes', object, dryRun: true },
    {},
  )
  assert.equal(tried.object.metadata.finalizers, ['acme.test/pv-protection'])
})
control('allows updates that remove the finalizer', async () => {
  const object: ApiObject = { metadata: { name: 'a' } }
  const stated = { resource: 'persistentvolumes', operation: 'update', object, oldObject: object } as const
  assert.equal((await admit(storageObjectInUseProtection(acmeNames, true), stated, {})).object, object)
})

control.run()
