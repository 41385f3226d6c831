import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames } from '../testing/acme.js'
import { aClaim, aVolume, inPhase, type StorageServer, withStorage } from '../testing/storage-server.js'

const binding = suite('binding claims and volumes')
const provisioner = 'example.com/disks'
const settled = () => new Promise(resolve => setTimeout(resolve, 150))
const reasonsOf = async ({ events }: StorageServer, name: string) => {
  const { items } = await events.list()
  return items.filter(({ involvedObject }) => involvedObject.name === name).map(({ reason }) => reason)
}

binding('a claim and a volume find each other, whichever comes first', async () => {
  await withStorage(async ({ claims, volumes }) => {
    await claims.create(aClaim('early'))
    await settled()
    assert.is((await claims.get('early')).status?.phase, 'Pending')
    await volumes.create(aVolume('a'))
    const claim = await claims.waitFor('early', inPhase('Bound'))
    assert.equal(claim.status, { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } })
    assert.is(claim.spec?.volumeName, 'a')
    assert.equal(claim.metadata?.annotations, {
      'pv.acme.test/bind-completed': 'yes',
      'pv.acme.test/bound-by-controller': 'yes',
    })
    const volume = await volumes.waitFor('a', inPhase('Bound'))
    assert.equal(
      [volume.spec?.claimRef?.namespace, volume.spec?.claimRef?.name, volume.spec?.claimRef?.uid],
      ['town', 'early', claim.metadata?.uid],
    )
    assert.equal(volume.metadata?.annotations, { 'pv.acme.test/bound-by-controller': 'yes' })

    await volumes.create(aVolume('b'))
    await volumes.waitFor('b', inPhase('Available'))
    await claims.create(aClaim('late'))
    await claims.waitFor('late', inPhase('Bound'))
  })
})

binding('two claims never get the same volume', async () => {
  await withStorage(async ({ claims, volumes }) => {
    await Promise.all(['a', 'b', 'c'].map(name => volumes.create(aVolume(name))))
    await Promise.all(['x', 'y', 'z', 'w'].map(name => claims.create(aClaim(name))))
    const bound = async () => (await claims.list()).items.filter(inPhase('Bound'))
    for (let i = 0; i < 100 && (await bound()).length < 3; i++) await settled()
    const names = (await bound()).map(({ spec }) => spec?.volumeName)
    assert.equal(names.sort(), ['a', 'b', 'c'])
  })
})

binding('users can bind from either side, and the loop does not change what they set', async () => {
  await withStorage(async ({ claims, volumes }) => {
    await volumes.create(aVolume('kept', { claimRef: { namespace: 'town', name: 'wanted' } }))
    await volumes.create(aVolume('chosen', { capacity: { storage: '7Gi' } }))
    await volumes.waitFor('kept', inPhase('Available'))
    await claims.create(aClaim('choosing', { volumeName: 'chosen' }))
    const choosing = await claims.waitFor('choosing', inPhase('Bound'))
    assert.equal(choosing.metadata?.annotations, { 'pv.acme.test/bind-completed': 'yes' })
    assert.equal(choosing.status?.capacity, { storage: '7Gi' })
    await claims.create(aClaim('other'))
    await claims.create(aClaim('wanted'))
    assert.is((await claims.waitFor('wanted', inPhase('Bound'))).spec?.volumeName, 'kept')
    const kept = await volumes.get('kept')
    assert.is(kept.metadata?.annotations?.[acmeNames.boundByController], undefined)
    assert.is((await claims.get('other')).status?.phase, 'Pending')
  })
})

binding('a claim that names a volume waits for it, and an event reports why it does not match', async () => {
  await withStorage(async server => {
    const { claims, volumes } = server
    await claims.create(aClaim('waiting', { volumeName: 'coming' }))
    await claims.create(aClaim('greedy', { volumeName: 'coming', resources: { requests: { storage: '9Gi' } } }))
    await volumes.create(aVolume('coming'))
    await claims.waitFor('waiting', inPhase('Bound'))
    await settled()
    assert.is((await claims.get('greedy')).status?.phase, 'Pending')
    const reasons = await reasonsOf(server, 'greedy')
    assert.ok(reasons.includes('VolumeMismatch') || reasons.includes('FailedBinding'), reasons.join())
  })
})

binding('the provisioner of a class is requested to create a volume', async () => {
  await withStorage(async server => {
    const { claims, classes, volumes } = server
    await claims.create(aClaim('data', { storageClassName: 'disks' }))
    await settled()
    assert.equal(await reasonsOf(server, 'data'), ['ProvisioningFailed'])
    await classes.create({ metadata: { name: 'disks' }, provisioner })
    const asked = await claims.waitFor('data', ({ metadata }) => metadata?.annotations !== undefined)
    assert.equal(asked.metadata?.annotations, {
      'volume.acme.test/storage-provisioner': provisioner,
      'volume.beta.acme.test/storage-provisioner': provisioner,
    })
    const { uid = '' } = asked.metadata ?? {}
    const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'town', name: 'data', uid }
    await volumes.create(aVolume('made', { storageClassName: 'disks', claimRef }))
    assert.is((await claims.waitFor('data', inPhase('Bound'))).spec?.volumeName, 'made')
  })
})

binding('a claim without a class gets the default class that comes later', async () => {
  await withStorage(async ({ claims, classes }) => {
    await claims.create(aClaim('late', { storageClassName: undefined }))
    await claims.create(aClaim('empty', { storageClassName: '' }))
    await settled()
    const annotations = { [acmeNames.defaultClassAnnotations[0] ?? '']: 'true' }
    await classes.create({ metadata: { name: 'disks', annotations }, provisioner })
    const claim = await claims.waitFor('late', ({ spec }) => spec?.storageClassName === 'disks')
    assert.is(claim.status?.phase, 'Pending')
    assert.is((await claims.get('empty')).spec?.storageClassName, '')
  })
})

binding('claims of a class that waits for the first consumer are not bound until there is a node', async () => {
  await withStorage(async server => {
    const { claims, classes, volumes } = server
    await classes.create({ metadata: { name: 'lazy' }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' })
    await volumes.create(aVolume('free', { storageClassName: 'lazy' }))
    await volumes.waitFor('free', inPhase('Available'))
    await claims.create(aClaim('data', { storageClassName: 'lazy' }))
    await settled()
    const waiting = await claims.get('data')
    assert.equal([waiting.status?.phase, waiting.metadata?.annotations], ['Pending', undefined])
    assert.equal(await reasonsOf(server, 'data'), ['WaitForFirstConsumer'])
    await claims.patch('data', { metadata: { annotations: { [acmeNames.selectedNode]: 'north' } } })
    const [asked = ''] = acmeNames.provisionerAnnotations
    await claims.waitFor('data', ({ metadata }) => metadata?.annotations?.[asked] === provisioner)
  })
})

const policies = {
  Retain: { annotations: {}, phase: 'Released', message: undefined },
  Recycle: { annotations: {}, phase: 'Failed', message: 'No recycler plugin found for the volume!' },
  Delete: {
    annotations: {},
    phase: 'Failed',
    message: 'error getting deleter volume plugin for volume "a": no volume plugin matched',
  },
  'Delete, made by a provisioner': {
    annotations: { [acmeNames.provisionedBy]: provisioner },
    phase: 'Released',
    message: undefined,
  },
}
for (const [title, { annotations, phase, message }] of Object.entries(policies))
  binding(`a volume whose claim is gone becomes ${phase} with policy ${title}`, async () => {
    await withStorage(async ({ claims, volumes }) => {
      const persistentVolumeReclaimPolicy = title.split(',')[0]
      const volume = aVolume('a', { persistentVolumeReclaimPolicy })
      await volumes.create({ ...volume, metadata: { ...volume.metadata, annotations } })
      await claims.create(aClaim('data'))
      await claims.waitFor('data', inPhase('Bound'))
      await claims.delete('data')
      const given = await volumes.waitFor('a', inPhase(phase))
      assert.is(given.status?.message, message)
      assert.is(given.spec?.claimRef?.name, 'data')
      // A new claim of the same name must not get the data of the deleted one.
      await claims.create(aClaim('data'))
      await settled()
      assert.is((await claims.get('data')).status?.phase, 'Pending')
    })
  })

binding('a bound claim whose volume is deleted becomes Lost', async () => {
  await withStorage(async ({ claims, volumes }) => {
    await volumes.create(aVolume('a'))
    await claims.create(aClaim('data'))
    await claims.waitFor('data', inPhase('Bound'))
    await volumes.delete('a')
    await settled()
    assert.ok(await volumes.find('a'), 'a bound volume stays')
    await volumes.patch('a', { metadata: { finalizers: null } })
    const lost = await claims.waitFor('data', inPhase('Lost'))
    assert.equal(lost.status, { phase: 'Lost' })
  })
})

binding('a volume is released when its claim is bound to another one', async () => {
  await withStorage(async ({ claims, volumes }) => {
    await claims.create(aClaim('data', { volumeName: 'elsewhere' }))
    const { uid = '' } = (await claims.get('data')).metadata ?? {}
    const claimRef = { namespace: 'town', name: 'data', uid }
    const ours = aVolume('ours', { claimRef })
    await volumes.create({ ...ours, metadata: { name: 'ours', annotations: { [acmeNames.boundByController]: 'yes' } } })
    await volumes.create(aVolume('theirs', { claimRef }))
    assert.is((await volumes.waitFor('ours', inPhase('Available'))).spec?.claimRef, undefined)
    const { spec } = await volumes.waitFor('theirs', inPhase('Available'))
    assert.equal(spec?.claimRef, { namespace: 'town', name: 'data' })
  })
})

binding.run()
