import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { bodyPrefix, type ReplicatedChange, type Store, type StoreEvent, type StoreReplica } from 'orch/sdk/host'
import { replicasFor } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Connection } from './connection.js'
import { KeyLayout } from './key-layout.js'
import { clusterOf, methods } from './protocol.js'
import { reasonNotToResume } from './resume-replica.js'
import { isEtcdInstalled, startCluster } from './testing/etcd-cluster.js'
import { openPlace, replicaFolder } from './testing/etcd-places.js'
import { startProxy } from './testing/faulty-proxy.js'

const replicas = suite('the replica of etcd')

const body = (name: string) => Buffer.from(`${bodyPrefix}"name":"${name}"}}`)
const patienceMs = 60_000
async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await isTrue()); await new Promise(resolve => setTimeout(resolve, 10))) {
    if (Date.now() > end) assert.unreachable(`waited in vain until ${what}`)
  }
}
async function write(store: Store, key: string, value = key, expect?: number): Promise<number> {
  const result = await store.write({ key, body: body(value), ...(expect === undefined ? {} : { expect }) })
  assert.ok(result.ok, `${key} was not written`)
  return result.revision
}
async function namesOf(store: Store, request: { revision?: number; notOlderThan?: number } = {}): Promise<string[]> {
  const names: string[] = []
  const page = await store.list({ prefix: '/', ...request })
  for await (const { joined } of page.items) {
    const items = JSON.parse(`[${joined}]`) as { metadata: { name: string } }[]
    names.push(...items.map(({ metadata }) => metadata.name))
  }
  return names
}
const wasCopied = (told: readonly string[]) => told.some(line => line.startsWith('copied etcd'))

if (isEtcdInstalled()) {
  const etcd = await startCluster({ arguments: ['--unsafe-no-fsync'] })
  const member = etcd.servers[0] ?? ''
  const connection = new Connection(etcd.servers, {})
  replicas.after(async () => {
    connection.close()
    await etcd.stop()
  })
  /** A place with three objects, closed, and opened again after `between`. What the second opening said is in `told`. */
  const reopened = async (place: string, between: (start: number) => Promise<void>) => {
    const first = await openPlace([member], { place })
    for (const key of ['/a', '/b', '/c']) await write(first, key)
    const revision = first.currentRevision()
    await first.close()
    await between(revision)
    const told: string[] = []
    const tell = (message: string) => told.push(message)
    return { store: await openPlace([member], { place, warn: tell, info: tell }), told, revision }
  }
  /** Somebody else writes meanwhile. */
  const beside = async (place: string, work: (store: Store) => Promise<unknown>) => {
    const other = await openPlace([member], { place, replica: false })
    await work(other)
    await other.close()
  }

  replicas('shows a write of one server to a read at another that begins after it', async () => {
    const [one, other] = [await openPlace([member], { place: 'two' }), await openPlace([member], { place: 'two' })]
    for (let round = 0; round < 100; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one]
      const revision = await write(writer, `/k${round % 10}`, `${round}`)
      assert.is((await reader.get(`/k${round % 10}`))?.modRevision, revision)
      assert.ok((await reader.list({ prefix: '/' })).revision >= revision)
      assert.ok((await namesOf(reader)).includes(`${round}`))
    }
    assert.equal([await one.count('/'), await other.count('/')], [10, 10])
    await Promise.all([one.close(), other.close()])
  })

  replicas(
    'serves reads of any version, and lists of past revisions, while etcd is unreachable; other reads wait',
    async () => {
      const proxy = await startProxy(member)
      const store = await openPlace([proxy.server])
      const revision = await write(store, '/a', 'old')
      const newest = await write(store, '/a', 'new')
      proxy.loseAnswers(1500)
      const linearizable = Promise.resolve(store.get('/a'))
      assert.is((await store.get('/a', 0))?.modRevision, newest)
      assert.equal(await namesOf(store, { notOlderThan: newest }), ['new'])
      assert.equal(await namesOf(store, { revision }), ['old'])
      const events: StoreEvent[] = []
      for await (const event of store.history('', revision, newest)) events.push(event)
      assert.equal(
        events.map(({ type }) => type),
        ['update'],
      )
      const isAnswered = await Promise.race([linearizable.then(() => true), Promise.resolve(false)])
      assert.not(isAnswered)
      assert.is((await linearizable)?.modRevision, newest)
      // Closing the store does not wait for an etcd that hangs either.
      proxy.loseAnswers(60_000)
      const unanswered = write(store, '/a', 'lost').then(String, String)
      await store.close()
      assert.match(await unanswered, /closed/)
      await proxy.close()
    },
  )

  replicas('resumes where it was, a little or far behind, without copying everything again', async () => {
    for (const [place, changes] of [
      ['near', 5],
      ['far', 1100],
    ] as const) {
      const { store, told, revision } = await reopened(place, () =>
        beside(place, async other => {
          await Promise.all(Array.from({ length: changes }, (_, index) => write(other, `/n${index % 10}`, `${index}`)))
          await other.write({ key: '/b', body: undefined, lastBody: body('farewell') })
        }),
      )
      assert.equal(told, [])
      assert.is(await store.count('/'), 2 + Math.min(changes, 10))
      assert.is(await store.get('/b'), undefined)
      assert.equal(await namesOf(store, { revision }), ['/a', '/b', '/c'])
      const events: StoreEvent[] = []
      for await (const event of store.history('', revision, Number.MAX_SAFE_INTEGER)) events.push(event)
      assert.is(events.length, changes + 1)
      assert.match(String(events.at(-1)?.body), /farewell/)
      await store.close()
    }
  })

  const unusable: Record<string, (place: string, revision: number) => Promise<void>> = {
    'was deleted': async place => rmSync(replicaFolder(place), { recursive: true }),
    'was damaged': async place => truncateSync(join(replicaFolder(place), 'replica/0/store/data.mdb'), 12_000),
    'etcd has compacted beyond': (place, revision) =>
      beside(place, async other => {
        await write(other, '/b', 'meanwhile')
        await other.compact(revision + 1)
      }),
    'misses an event': (place, revision) =>
      changed(place, replica => replica.apply([{ key: '/c', revision: revision + 1, body: undefined }], revision + 1)),
    'has one that never was': (place, revision) =>
      changed(place, replica =>
        replica.apply([{ key: '/c', revision: revision + 1, body: body('never') }], revision + 1),
      ),
  }
  const sourceIn = async (place: string) => {
    const answer = await connection.ask(methods.range, { key: Buffer.from('/'), countOnly: true })
    return `etcd ${clusterOf(answer)} /test/${place}`
  }
  const changed = async (place: string, change: (replica: StoreReplica) => void) => {
    const replica = await replicasFor(replicaFolder(place))(await sourceIn(place))
    change(replica)
    await replica.close()
    // Its revision is one that etcd has, too.
    await beside(place, other => write(other, '/d'))
  }
  for (const [what, spoil] of Object.entries(unusable)) {
    replicas(`that ${what} is rebuilt`, async () => {
      const place = what.replaceAll(' ', '-')
      const { store, told } = await reopened(place, revision => spoil(place, revision))
      assert.ok(wasCopied(told), told.join('\n'))
      await beside(place, async other => assert.equal(await namesOf(store), await namesOf(other)))
      await store.close()
    })
  }

  replicas('of an etcd that was reset to an earlier revision is not resumed', async () => {
    const { store, revision } = await reopened('back', async () => {})
    await store.close()
    const replica = await replicasFor(replicaFolder('back'))(await sourceIn('back'))
    assert.is(replica.revision, revision)
    const asked = { connection, layout: new KeyLayout('/test/back'), compacted: 1 }
    assert.is(await reasonNotToResume(replica, { ...asked, revision }), undefined)
    assert.match(String(await reasonNotToResume(replica, { ...asked, revision: revision - 1 })), /and etcd at/)
    await replica.close()
    const elsewhere = await replicasFor(replicaFolder('back'))('etcd 1 /test/back')
    assert.is(elsewhere.revision, 0)
    await elsewhere.close()
  })

  replicas('that missed an event is rebuilt as soon as that is detected, and no subscriber notices', async () => {
    const told: string[] = []
    let isSpoilt = true
    const skip = (replica: StoreReplica): StoreReplica =>
      new Proxy(replica, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value !== 'function') return value
          if (name !== 'apply') return value.bind(target)
          return (changes: readonly ReplicatedChange[], revision: number) => {
            const kept = changes.filter(({ body: made }) => !isSpoilt || !made?.includes('skipped'))
            target.apply(kept, revision)
          }
        },
      })
    const store = await openPlace([member], { place: 'skipping', warn: line => told.push(line), spoil: skip })
    const seen: number[] = []
    store.subscribe(events => seen.push(...events.map(({ revision }) => revision)))
    const written = [await write(store, '/a', 'first'), await write(store, '/a', 'skipped')]
    // Read, and so applied.
    assert.equal(await namesOf(store), ['first'])
    isSpoilt = false
    written.push(await write(store, '/a', 'third'))
    await until(() => told.length > 0, 'the change that does not fit has been noticed')
    assert.match(told.join(), /rebuilt: the change of \/a at revision \d+ follows revision \d+/)
    assert.equal(await namesOf(store), ['third'])
    await store.replicaSettled
    written.push(await write(store, '/a', 'fourth'))
    assert.equal(await namesOf(store, { notOlderThan: 0 }), ['fourth'])
    assert.equal(seen, written)
    await store.close()
  })

  replicas('follows changes by other tools, several at a time', async () => {
    const place = 'together'
    const store = await openPlace([member], { place })
    const seen: string[] = []
    store.subscribe(events => seen.push(...events.map(({ type, key }) => `${type} ${key}`)))
    for (const key of ['/a/1', '/a/2', '/b']) await write(store, key)
    const { start: key, end: rangeEnd } = new KeyLayout(`/test/${place}`).objectsBelow('/a/')
    await connection.ask(methods.txn, {
      compare: [],
      success: [{ requestDeleteRange: { key, rangeEnd } }],
      failure: [],
    })
    assert.equal(await namesOf(store), ['/b'])
    assert.equal(seen.slice(3), ['delete /a/1', 'delete /a/2'])
    await write(store, '/a/1')
    assert.equal(await namesOf(store, { notOlderThan: 0 }), ['/a/1', '/b'])
    await store.close()
  })

  replicas('compacts what etcd compacts, in every server', async () => {
    const [one, other] = [await openPlace([member], { place: 'past' }), await openPlace([member], { place: 'past' })]
    const old = await write(one, '/a', 'old')
    const kept = await write(one, '/a', 'kept')
    // A server that has not received the events by then would have to be restarted.
    assert.is((await other.get('/a'))?.modRevision, kept)
    await one.compact(kept)
    // As the process does that compacts for all.
    await connection.ask(methods.put, { key: new KeyLayout('/test/past').compact, value: Buffer.from(String(kept)) })
    await until(async () => {
      const failure = await namesOf(other, { revision: old }).catch((error: unknown) => error)
      return String(failure).includes('compacted')
    }, 'the other one has compacted, too')
    assert.equal(await namesOf(other, { revision: kept }), ['kept'])
    await Promise.all([one.close(), other.close()])
  })
} else {
  console.log('SKIP etcd is not installed')
}

replicas.run()
