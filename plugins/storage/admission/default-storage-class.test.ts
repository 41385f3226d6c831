import type { PersistentVolumeClaimSpec } from 'orch/sdk/core'
import { admit, fakeCollections, type StatedRequest } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import type { StorageClass } from '../storage-classes/schema.js'
import { acmeNames } from '../testing/acme.js'
import { defaultStorageClass } from './default-storage-class.js'

const control = suite('DefaultStorageClass')
const aClass = (name: string, annotations: Record<string, string> = {}): StorageClass => ({
  metadata: { name, annotations },
  provisioner: 'example.com/disks',
})
const marked = { 'storageclass.acme.test/is-default-class': 'true' }
const markedOfOld = { 'storageclass.beta.acme.test/is-default-class': 'true' }

const cases: Record<
  string,
  {
    classes: StorageClass[]
    spec?: PersistentVolumeClaimSpec
    annotations?: Record<string, string>
    given?: string
    isRefused?: boolean
  }
> = {
  'sets the default class': { classes: [aClass('a'), aClass('b', marked)], given: 'b' },
  'supports the old annotation': { classes: [aClass('a', markedOfOld)], given: 'a' },
  'sets nothing without a default class': {
    classes: [aClass('a', { ...marked, ...{ 'storageclass.acme.test/is-default-class': 'yes' } })],
  },
  'does not change a claim with a class': {
    classes: [aClass('a', marked)],
    spec: { storageClassName: 'x' },
    given: 'x',
  },
  'does not change a claim with an empty class': {
    classes: [aClass('a', marked)],
    spec: { storageClassName: '' },
    given: '',
  },
  'does not change a claim with a class in the old annotation': {
    classes: [aClass('a', marked)],
    annotations: { 'volume.beta.acme.test/storage-class': 'x' },
  },
  'rejects the claim if there are two': { classes: [aClass('a', marked), aClass('b', marked)], isRefused: true },
}
const send = (classes: readonly StorageClass[], stated: StatedRequest<PersistentVolumeClaim>, newestWins = false) => {
  const { caches } = fakeCollections({ 'storageclasses.storage.acme.test': classes })
  return admit(
    defaultStorageClass(acmeNames, newestWins),
    { resource: 'persistentvolumeclaims', ...stated },
    { caches },
  )
}
for (const dryRun of [false, true])
  for (const [title, { classes, spec = {}, annotations = {}, given, isRefused = false }] of Object.entries(cases))
    control(dryRun ? `${title}, on a dry run too` : title, async () => {
      const { object, refusal } = await send(classes, {
        object: { metadata: { name: 'c', annotations }, spec },
        dryRun,
      })
      assert.is(refusal?.code, isRefused ? 403 : undefined)
      assert.is(object.spec?.storageClassName, given)
    })

control('chooses the newest of several where versions do, and by name among those of the same second', async () => {
  const made = (name: string, second: number): StorageClass => {
    const one = aClass(name, marked)
    return { ...one, metadata: { ...one.metadata, creationTimestamp: `2020-01-01T00:00:0${second}Z` } }
  }
  const chosen = async (...classes: StorageClass[]) => {
    const { object } = await send(classes, { object: { metadata: { name: 'c' }, spec: {} } }, true)
    return object.spec?.storageClassName
  }
  assert.is(await chosen(made('a', 1), made('c', 2), made('b', 2)), 'b')
  assert.is(await chosen(made('a', 3), made('b', 2)), 'a')
})

control('does not change an updated claim without a class', async () => {
  const claim: PersistentVolumeClaim = { metadata: { name: 'c' }, spec: {} }
  const { object, refusal } = await send([aClass('a', marked)], {
    operation: 'update',
    object: claim,
    oldObject: claim,
  })
  assert.equal([object, refusal], [claim, undefined])
})

control.run()
