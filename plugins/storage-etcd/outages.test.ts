import { bodyPrefix, type Store, type StoreEvent } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isEtcdInstalled, startCluster } from './testing/etcd-cluster.js'
import { openPlace } from './testing/etcd-places.js'

const cluster = suite('an etcd cluster of three')

const body = (name: string) => Buffer.from(`${bodyPrefix}"name":"${name}"}}`)
const write = (store: Store, key: string) => store.write({ key, body: body(key), expect: 0 })

/** Elections, one lost attempt of 8 s and the clearing up of an uncertain write may follow each other, on a busy machine. */
const patienceMs = 90_000

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await isTrue()); await new Promise(resolve => setTimeout(resolve, 20))) {
    if (Date.now() > end) assert.unreachable(`waited in vain until ${what}`)
  }
}

if (isEtcdInstalled()) {
  const etcd = await startCluster({ members: 3 })
  cluster.after(() => etcd.stop())
  const open = (place?: string) => openPlace(etcd.servers, { place })

  cluster('two processes see the writes of each other, in order', async () => {
    const one = await open('shared')
    const other = await open('shared')
    const seen: StoreEvent[] = []
    other.subscribe(events => seen.push(...events))
    const start = one.currentRevision()
    await Promise.all(Array.from({ length: 40 }, (_, index) => write(index % 2 === 0 ? one : other, `/k${index}`)))
    await until(() => seen.length === 40, 'all events came')
    assert.equal(
      seen.map(({ revision }) => revision),
      Array.from({ length: 40 }, (_, index) => start + 1 + index),
    )
    assert.is(await one.count('/'), 40)
    await Promise.all([one.close(), other.close()])
  })

  cluster('loses and repeats nothing while members die one after the other', async () => {
    const store = await open()
    const seen: StoreEvent[] = []
    store.subscribe(events => seen.push(...events))
    const acknowledged = new Set<string>()
    const uncertain: string[] = []
    let isOver = false
    const writer = async (name: string) => {
      for (let number = 0; !isOver; number++) {
        const key = `/${name}/${number}`
        try {
          const result = await write(store, key)
          assert.ok(result.ok, `${key} is new, yet it was there`)
          acknowledged.add(key)
        } catch {
          uncertain.push(key)
        }
      }
    }
    const writers = ['a', 'b', 'c', 'd'].map(writer)
    for (const member of [0, 1, 2]) {
      const before = acknowledged.size
      await etcd.kill(member)
      await until(() => acknowledged.size > before + 20, `writes go on without member ${member}`)
      await etcd.restart(member)
      // Without it, the next death would take the majority: another test's subject.
      await until(() => etcd.isHealthy(member), `member ${member} is back in the majority`)
    }
    isOver = true
    await Promise.all(writers)
    const revisions = seen.map(({ revision }) => revision)
    assert.equal(
      revisions,
      [...new Set(revisions)].toSorted((one, other) => one - other),
    )
    const keys = new Set(seen.map(({ key }) => key))
    assert.is(keys.size, seen.length, 'no key was created twice')
    for (const key of acknowledged) assert.ok(keys.has(key), `${key} was acknowledged and is lost`)
    assert.is(await store.count('/'), seen.length)
    assert.ok(seen.length <= acknowledged.size + uncertain.length)
    await store.close()
  })
} else {
  console.log('SKIP etcd is not installed')
}

cluster.run()
