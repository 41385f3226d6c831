import assert from 'node:assert/strict'
import type { Write } from '../../host/storage.js'
import {
  attributesFor,
  bodyFor,
  type ContractCases,
  committed,
  create,
  eventsOf,
  isKind,
  listAll,
  remove,
  update,
} from './steps.js'

export const writeCases: ContractCases = {
  async 'a body is read back with the revision of its write as resourceVersion'(store) {
    const attributes = attributesFor({ labels: { app: 'web' } })
    const body = Buffer.from('{"metadata":{"name":"a"},"data":{"x":"é"}}')
    const revision = await committed(store, { key: '/a', body, attributes, expect: 0 })
    const found = await store.get('/a')
    assert.equal(String(found?.body), `{"metadata":{"resourceVersion":"${revision}","name":"a"},"data":{"x":"é"}}`)
    assert.equal(found?.modRevision, revision)
    assert.deepEqual(found?.attributes, attributes)
  },
  async 'empty metadata gets a resourceVersion as well, on write and on delete'(store) {
    const first = await committed(store, { key: '/a', body: Buffer.from('{"metadata":{}}') })
    assert.equal(String((await store.get('/a'))?.body), `{"metadata":{"resourceVersion":"${first}"}}`)
    const second = await remove(store, '/a')
    const [deleted] = await eventsOf(store, '', first)
    assert.equal(String(deleted?.body), `{"metadata":{"resourceVersion":"${second}"}}`)
  },
  async 'a write returns the body as it is stored'(store) {
    const result = await store.write({ key: '/a', body: bodyFor('a') })
    assert.deepEqual(result.ok && result.body, (await store.get('/a'))?.body)
  },
  async 'creating an existing key fails and returns the stored object'(store) {
    const revision = await create(store, '/a')
    const result = await store.write({ key: '/a', body: bodyFor('other'), expect: 0 })
    assert.equal(result.ok, false)
    assert.equal(!result.ok && result.current?.modRevision, revision)
  },
  async 'an update with a stale revision fails and changes nothing'(store) {
    const first = await create(store, '/a')
    const second = await update(store, '/a', 'new')
    const stale = await store.write({ key: '/a', body: bodyFor('lost'), expect: first })
    assert.deepEqual([stale.ok, !stale.ok && stale.current?.modRevision], [false, second])
    assert.equal(store.currentRevision(), second)
    assert.deepEqual(await listAll(store, '/'), ['new'])
  },
  async 'a delete checks its precondition, and deleting an absent key fails'(store) {
    const revision = await create(store, '/a')
    assert.equal((await store.write({ key: '/a', body: undefined, expect: revision + 1 })).ok, false)
    assert.equal((await store.write({ key: '/a', body: undefined, expect: revision })).ok, true)
    assert.deepEqual(await store.write({ key: '/a', body: undefined }), { ok: false, current: undefined })
    assert.equal(await store.get('/a'), undefined)
  },
  async 'exactly one of several writers of the same revision succeeds'(store) {
    let revision = await create(store, '/a')
    for (let round = 0; round < 5; round++) {
      const write: Write = { key: '/a', body: bodyFor('next'), expect: revision }
      const results = await Promise.all(Array.from({ length: 8 }, () => store.write(write)))
      const winners = results.filter(result => result.ok)
      assert.equal(winners.length, 1)
      revision = winners[0]!.revision
      for (const result of results) if (!result.ok) assert.equal(result.current?.modRevision, revision)
    }
  },
  async 'concurrent writes get revisions without gaps or repeats'(store) {
    const start = store.currentRevision()
    const revisions = await Promise.all(Array.from({ length: 300 }, (_, index) => create(store, `/k${index}`)))
    assert.deepEqual(
      revisions.toSorted((one, other) => one - other),
      revisions.map((_, index) => start + 1 + index),
    )
    assert.equal(await store.latestRevision(), start + 300)
  },
  async 'a failed write uses no revision'(store) {
    await create(store, '/a')
    const before = store.currentRevision()
    await store.write({ key: '/a', body: bodyFor('b'), expect: 0 })
    assert.equal(await update(store, '/a', 'c'), before + 1)
  },
  async 'a writer reads its own write at once'(store) {
    const revision = await create(store, '/a')
    assert.equal((await store.get('/a'))?.modRevision, revision)
    assert.deepEqual(await listAll(store, '/'), ['/a'])
    assert.equal(await store.count('/'), 1)
    assert.ok(store.currentRevision() >= revision)
  },
  async 'a key that is too long is rejected and affects no other write'(store) {
    const [long, fine] = await Promise.allSettled([
      store.write({ key: `/${'k'.repeat(2000)}`, body: bodyFor('a') }),
      store.write({ key: `/${'k'.repeat(1800)}`, body: bodyFor('b') }),
    ])
    assert.ok(long.status === 'rejected' && isKind('tooLarge')(long.reason))
    assert.equal(fine.status, 'fulfilled')
    await update(store, `/${'k'.repeat(1800)}`, 'c')
    assert.deepEqual(await listAll(store, '/', store.currentRevision() - 1), ['b'])
  },
}

/** For an engine that several servers share. */
export const claimCases: ContractCases = {
  async 'one of two writes that claim the same name fails and returns the name'(store) {
    const claiming = (key: string, take: string[], release: string[] = []): Write => ({
      key,
      body: bodyFor(key),
      expect: 0,
      claims: { take, release },
    })
    const results = await Promise.all(['/a', '/b'].map(key => store.write(claiming(key, ['only', `own of ${key}`]))))
    assert.deepEqual(results.map(({ ok }) => ok).toSorted(), [false, true])
    const lost = results.find(({ ok }) => !ok)
    assert.equal(lost && !lost.ok && lost.claimed, 'only')
    assert.equal((await listAll(store, '/')).length, 1)
    // A failed write leaves nothing behind, so its names are free.
    await committed(
      store,
      claiming(
        '/c',
        ['own of /a', 'own of /b'].filter((_, i) => !results[i]?.ok),
      ),
    )
  },
  async 'a name is free again once it is released or its key is gone'(store) {
    const write = (key: string, expect: number, take: string[], release: string[] = []) =>
      committed(store, { key, body: bodyFor(key), expect, claims: { take, release } })
    const first = await write('/a', 0, ['one', 'two'])
    const second = await write('/a', first, [], ['one'])
    await write('/b', 0, ['one'])
    const refused = await store.write({ key: '/b', body: bodyFor('/b'), claims: { take: ['two'], release: [] } })
    assert.equal(!refused.ok && refused.claimed, 'two')
    await committed(store, { key: '/a', body: undefined, expect: second, claims: { take: [], release: ['two'] } })
    await write('/c', 0, ['two'])
    // A writer that does not know about names removes the key that has them.
    await remove(store, '/c')
    await write('/d', 0, ['two'])
  },
  async 'a failed precondition is reported before a claimed name'(store) {
    const claims = { take: ['name'], release: [] }
    const revision = await committed(store, { key: '/a', body: bodyFor('a'), expect: 0, claims })
    const result = await store.write({ key: '/a', body: bodyFor('other'), expect: 0, claims })
    assert.deepEqual(!result.ok && [result.current?.modRevision, result.claimed], [revision, undefined])
  },
}

/** For an engine whose transactions chain writes. */
export const chainCases: ContractCases = {
  async 'chained writes all succeed, in order'(store) {
    const first: Write = { key: '/a', body: bodyFor('first'), expect: 0 }
    const second: Write = { key: '/a', body: bodyFor('second'), after: first }
    const third: Write = { key: '/a', body: bodyFor('third'), after: second }
    const results = await Promise.all([store.write(first), store.write(second), store.write(third)])
    const revisions = results.map(result => (result.ok ? result.revision : 0))
    assert.deepEqual(revisions, [revisions[0], revisions[0]! + 1, revisions[0]! + 2])
    assert.deepEqual(await listAll(store, '/'), ['third'])
  },
  async 'a write that is chained to a failed or outdated write fails'(store) {
    await create(store, '/a')
    const failing: Write = { key: '/a', body: bodyFor('failing'), expect: 0 }
    const onFailure = { key: '/a', body: bodyFor('on failure'), after: failing }
    const [failed, alsoFailed] = await Promise.all([store.write(failing), store.write(onFailure)])
    assert.deepEqual([failed.ok, alsoFailed.ok], [false, false])
    const good: Write = { key: '/a', body: bodyFor('good') }
    await Promise.all([store.write(good), store.write({ key: '/a', body: bodyFor('newer') })])
    assert.equal((await store.write({ key: '/a', body: bodyFor('late'), after: good })).ok, false)
    assert.deepEqual(await listAll(store, '/'), ['newer'])
  },
}
