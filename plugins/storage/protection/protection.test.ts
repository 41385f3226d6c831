import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aClaim, aPod, aVolume, inPhase, withStorage } from '../testing/storage-server.js'

const protection = suite('protection of what is in use')
const settled = () => new Promise(resolve => setTimeout(resolve, 150))
const usingData = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }]

protection('an unused claim is deleted immediately', async () => {
  await withStorage(async ({ claims }) => {
    await claims.create(aClaim('data'))
    await claims.delete('data')
    await claims.waitForDeletion('data')
  })
})

protection('a claim is kept for the Pod that uses it, even if that has finished', async () => {
  await withStorage(async ({ claims, pods }) => {
    await claims.create(aClaim('data'))
    await pods.create({ ...aPod('user', usingData), status: { phase: 'Succeeded' } })
    await claims.delete('data')
    await settled()
    assert.equal((await claims.get('data')).metadata?.finalizers, ['acme.test/pvc-protection'])
    await pods.delete('user')
    await claims.waitForDeletion('data')
  })
})

protection('a claim is not kept for a Pod without a node, or in another namespace', async () => {
  await withStorage(async ({ claims, pods }) => {
    await claims.create(aClaim('data'))
    await pods.create(aPod('unscheduled', usingData, ''))
    await pods.create(aPod('other', [{ name: 'data', emptyDir: {} }]))
    await claims.delete('data')
    await claims.waitForDeletion('data')
  })
})

protection('a removed finalizer is restored, other finalizers are not changed', async () => {
  await withStorage(async ({ claims, volumes }) => {
    await claims.create(aClaim('data'))
    await claims.patch('data', { metadata: { finalizers: ['example.com/mine'] } })
    const finalizers = ['example.com/mine', 'acme.test/pvc-protection']
    await claims.waitFor('data', ({ metadata }) => metadata?.finalizers?.length === 2)
    assert.equal((await claims.get('data')).metadata?.finalizers, finalizers)
    await volumes.create(aVolume('a'))
    await volumes.patch('a', { metadata: { finalizers: null } })
    await volumes.waitFor('a', ({ metadata }) => metadata?.finalizers?.[0] === 'acme.test/pv-protection')
  })
})

protection('an unbound volume is deleted, a bound one waits for its claim', async () => {
  await withStorage(async ({ claims, volumes }) => {
    await volumes.create(aVolume('free'))
    await volumes.delete('free')
    await volumes.waitForDeletion('free')

    await volumes.create(aVolume('taken'))
    await claims.create(aClaim('data'))
    await claims.waitFor('data', inPhase('Bound'))
    await volumes.delete('taken')
    await settled()
    assert.ok((await volumes.get('taken')).metadata?.deletionTimestamp)
    await claims.delete('data')
    await volumes.waitForDeletion('taken')
  })
})

protection('a VolumeAttributesClass is kept as long as a claim or a volume uses it', async () => {
  await withStorage(async ({ attributesClasses: classes, claims }) => {
    const fast = { metadata: { name: 'fast' }, driverName: 'csi.example.com', parameters: { speed: 'high' } }
    await classes.create(fast)
    await claims.create({ ...aClaim('data'), spec: { ...aClaim('data').spec, volumeAttributesClassName: 'fast' } })
    await classes.delete('fast')
    await settled()
    assert.equal((await classes.get('fast')).metadata?.finalizers, ['acme.test/vac-protection'])
    await claims.delete('data')
    await classes.waitForDeletion('fast')
  })
})

protection.run()
