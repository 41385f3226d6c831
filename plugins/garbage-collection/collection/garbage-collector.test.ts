import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'orch/sdk/client'
import { fakeClock, startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { garbageCollection } from '../plugin.js'
import { acme, OwnedWidgets, ownedBy } from '../testing/owned-widgets.js'
import { ForeignOwners } from './foreign-owners.js'
import { identityOf } from './owner-graph.js'

const collector = suite('garbage collector')

/** Runs a test against a server of its own. */
const withServer = (test: (server: OwnedWidgets) => Promise<void>) => async () => {
  const server = await startServer({ plugins: [acme, garbageCollection] })
  try {
    await test(new OwnedWidgets(server.client))
  } finally {
    await server.stop()
  }
}
const soon = { timeoutMs: 30_000 }
/** Longer than the collector would take to do something wrong. */
const aWhile = () => new Promise(resolve => setTimeout(resolve, 300))
const absentUid = '11111111-2222-3333-4444-555555555555'
const block = { blockOwnerDeletion: true }

const isInTime = (durationMs: number) => durationMs < 200
collector(
  'collects dependents after their owner, and theirs after them, within 200 ms',
  withServer(async server => {
    const durations: number[] = []
    // One round in time is enough, since the machine is shared; a collector that polls or waits for a retry never is.
    while (durations.length < 20 && !durations.some(isInTime)) {
      const owner = await server.widget('owner')
      const child = await server.widget('child', [ownedBy(owner)])
      await server.widget('grandchild', [ownedBy(child)])
      const started = performance.now()
      await server.widgets().delete('owner')
      await server.widgets().waitForDeletion('grandchild', soon)
      durations.push(performance.now() - started)
      assert.is(await server.widgets().find('child'), undefined)
    }
    assert.ok(durations.some(isInTime), `took ${durations.map(Math.round).join(', ')} ms`)
  }),
)

collector(
  'collects a dependent whose owner never existed, whose uid is outdated, or which lives in another namespace',
  withServer(async server => {
    const owner = await server.widget('owner')
    await server.widget('never', [ownedBy(owner, { name: 'nobody', uid: absentUid })])
    await server.widget('outdated', [ownedBy(owner, { uid: absentUid })])
    await server.widget('elsewhere', [ownedBy(owner)], {}, 'village')
    await server.widget('odd', [ownedBy(owner, { name: '../planets/x' })])
    for (const name of ['never', 'outdated', 'odd']) await server.widgets().waitForDeletion(name, soon)
    await server.widgets('village').waitForDeletion('elsewhere', soon)
    assert.ok(await server.widgets().find('owner'))
  }),
)

collector('reports a dependent whose owner is in another namespace, and limits the number of searches', async () => {
  const clock = fakeClock()
  const told: string[] = []
  const asked: unknown[] = []
  const list = async (options: unknown) => {
    asked.push(options)
    return { items: [{ metadata: { name: 'owner', namespace: 'town', uid: 'u1' } }] }
  }
  const foreign = new ForeignOwners({
    client: { resource: () => ({ list }) } as unknown as Client,
    clock,
    events: { record: async (object, ...said) => void told.push([object.metadata?.name, ...said].join(' ')) },
    metaGroup: 'meta.acme.test',
  })
  const type = { group: 'acme.test', version: 'v1', resource: 'widgets', namespaced: true }
  const missing = (name: string, uid: string, isNamespaced = true) => ({
    reference: { apiVersion: 'acme.test/v1', kind: 'Widget', name, uid },
    owner: identityOf({ ...type, namespaced: isNamespaced }, isNamespaced ? 'village' : '', name, uid),
  })
  const report = async (name: string, ...owners: ReturnType<typeof missing>[]) => {
    await foreign.report({ metadata: { name, namespace: 'village' } }, owners)
    await clock.advance(1000)
  }
  await report('nobodys', missing('owner', 'u2'), missing('odd,name', 'u1'), missing('owner', 'u1', false))
  assert.equal(told, [])
  assert.equal(asked, [{ fieldSelector: 'metadata.name=owner', metadataOnly: 'meta.acme.test' }])
  await report('child', missing('owner', 'u1'), missing('owner', 'u1'))
  const what = '[acme.test/v1/Widget, namespace: village, name: owner, uid: u1]'
  assert.equal(told, [`child Warning OwnerRefInvalidNamespace ownerRef ${what} does not exist in namespace "village"`])
})

collector(
  'keeps objects with an owner, in whatever version the reference names it',
  withServer(async server => {
    const planet = await server.planet('home')
    const owner = await server.widget('owner')
    await server.widget('a', [ownedBy(planet)])
    await server.widget('b', [ownedBy(owner, { apiVersion: 'acme.test/v1beta1' })])
    await aWhile()
    assert.ok(await server.widgets().find('a'))
    assert.ok(await server.widgets().find('b'))
    await server.widgets().delete('owner')
    await server.planets.delete('home')
    await server.widgets().waitForDeletion('a', soon)
    await server.widgets().waitForDeletion('b', soon)
  }),
)

collector(
  'never collects objects whose owner is of an unknown kind or in an unknown namespace',
  withServer(async server => {
    const owner = await server.widget('owner')
    await server.widget('stranger', [ownedBy(owner, { kind: 'Gadget', uid: absentUid })])
    await server.widget('ancient', [ownedBy(owner, { apiVersion: 'acme.test/v0', uid: absentUid })])
    await server.planet('moon', [ownedBy(owner)])
    await server.planet('comet', [ownedBy(owner, { uid: absentUid })])
    await server.widgets().delete('owner')
    await aWhile()
    assert.ok(await server.widgets().find('stranger'))
    assert.ok(await server.widgets().find('ancient'))
    assert.ok(await server.planets.find('moon'))
    assert.ok(await server.planets.find('comet'))
  }),
)

collector(
  'keeps an object while one owner remains, and removes the references to the others',
  withServer(async server => {
    const [one, other] = [await server.widget('one'), await server.widget('other')]
    await server.widget('child', [ownedBy(one), ownedBy(other)])
    await server.widgets().delete('one')
    const child = await server
      .widgets()
      .waitFor('child', ({ metadata }) => metadata.ownerReferences?.length === 1, soon)
    assert.is(child.metadata.ownerReferences?.[0]?.name, 'other')
    await server.widgets().delete('other')
    await server.widgets().waitForDeletion('child', soon)
  }),
)

collector(
  'in the foreground, an owner is deleted after the dependents that block it',
  withServer(async server => {
    const owner = await server.widget('owner')
    const child = await server.widget('child', [ownedBy(owner, block)])
    await server.widget('grandchild', [ownedBy(child, block)], { finalizers: ['acme.test/hold'] })
    const answer = await server.widgets().delete('owner', { propagationPolicy: 'Foreground' })
    assert.equal(answer.metadata.finalizers, ['foregroundDeletion'])
    await server.widgets().waitFor('grandchild', ({ metadata }) => Boolean(metadata.deletionTimestamp), soon)
    assert.equal((await server.widgets().get('child')).metadata.finalizers, ['foregroundDeletion'])
    await aWhile()
    assert.ok(await server.widgets().find('owner'))
    await server.widgets().patch('grandchild', { metadata: { finalizers: null } })
    await server.widgets().waitForDeletion('owner', soon)
    assert.is(await server.widgets().find('child'), undefined)
  }),
)

collector(
  'in the foreground, dependents that do not block are collected and not waited for',
  withServer(async server => {
    const owner = await server.widget('owner')
    await server.widget('child', [ownedBy(owner)], { finalizers: ['acme.test/hold'] })
    await server.widgets().delete('owner', { propagationPolicy: 'Foreground' })
    await server.widgets().waitForDeletion('owner', soon)
    await server.widgets().waitFor('child', ({ metadata }) => Boolean(metadata.deletionTimestamp), soon)
  }),
)

collector(
  'in the foreground, a dependent with another owner is kept and no longer blocks',
  withServer(async server => {
    const [one, other] = [await server.widget('one'), await server.widget('other')]
    await server.widget('child', [ownedBy(one, block), ownedBy(other)])
    await server.widgets().delete('one', { propagationPolicy: 'Foreground' })
    await server.widgets().waitForDeletion('one', soon)
    assert.is((await server.widgets().get('child')).metadata.ownerReferences?.length, 1)
  }),
)

collector(
  'in the foreground, objects that own each other do not wait forever',
  withServer(async server => {
    const one = await server.widget('one')
    const other = await server.widget('other', [ownedBy(one, block)])
    await server.widgets().patch('one', { metadata: { ownerReferences: [ownedBy(other, block)] } })
    await server.widgets().delete('one', { propagationPolicy: 'Foreground' })
    await server.widgets().waitForDeletion('one', soon)
    await server.widgets().waitForDeletion('other', soon)
  }),
)

collector(
  'orphans are kept and lose only the reference to their owner, however many they are',
  withServer(async server => {
    const [one, other] = [await server.widget('one'), await server.widget('other')]
    const names = Array.from({ length: 30 }, (_, i) => `child-${i}`)
    await Promise.all(names.map(name => server.widget(name, [ownedBy(one), ownedBy(other)])))
    await server.widgets().delete('one', { propagationPolicy: 'Orphan' })
    await server.widgets().waitForDeletion('one', soon)
    for (const name of names) {
      const { metadata } = await server.widgets().get(name)
      assert.equal(
        metadata.ownerReferences?.map(reference => reference.name),
        ['other'],
      )
    }
  }),
)

collector(
  'a dependent that changed owners in time is kept',
  withServer(async server => {
    const [one, other] = [await server.widget('one'), await server.widget('other')]
    await server.widget('child', [ownedBy(one)])
    await server.widgets().patch('child', { metadata: { ownerReferences: [ownedBy(other)] } })
    await server.widgets().delete('one')
    await aWhile()
    assert.ok(await server.widgets().find('child'))
  }),
)

collector(
  'an owner that is recreated under the same name does not keep the dependents of the first',
  withServer(async server => {
    const owner = await server.widget('owner')
    await server.widget('child', [ownedBy(owner)])
    await server.widgets().delete('owner')
    await server.widget('owner')
    await server.widgets().waitForDeletion('child', soon)
    assert.ok(await server.widgets().find('owner'))
  }),
)

collector('collects at startup objects that lost their owner while the server was down', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'orch-gc-'))
  try {
    const resting = await startServer({ plugins: [acme, garbageCollection], dataDir, options: { controllers: [] } })
    const before = new OwnedWidgets(resting.client)
    const [owner, keeper] = [await before.widget('owner'), await before.widget('keeper')]
    await before.widget('child', [ownedBy(owner)])
    await before.widget('kept', [ownedBy(keeper)])
    await before.widgets().delete('owner')
    await resting.stop()
    const server = await startServer({ plugins: [acme, garbageCollection], dataDir })
    const after = new OwnedWidgets(server.client)
    await after.widgets().waitForDeletion('child', soon)
    assert.ok(await after.widgets().find('kept'))
    await server.stop()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

collector.run()
