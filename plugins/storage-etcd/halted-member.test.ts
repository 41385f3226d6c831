import { bodyPrefix, StorageError } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isEtcdInstalled, startCluster } from './testing/etcd-cluster.js'
import { openPlace } from './testing/etcd-places.js'

const halted = suite('an etcd that holds its connections and answers nothing')

/** How long a read took to fail, and that it failed as unavailable. */
async function untilUnavailable(read: () => unknown): Promise<number> {
  const start = performance.now()
  try {
    await read()
  } catch (error) {
    assert.instance(error, StorageError)
    assert.is((error as StorageError).kind, 'unavailable')
    return performance.now() - start
  }
  throw new Error('a halted etcd answered')
}

if (isEtcdInstalled()) {
  const etcd = await startCluster({ arguments: ['--unsafe-no-fsync'] })
  halted.after(() => {
    etcd.resume(0)
    return etcd.stop()
  })

  for (const replica of [true, false])
    halted(`fails reads within seconds, ${replica ? 'with' : 'without'} a replica`, async () => {
      const store = await openPlace(etcd.servers, { replica })
      const body = Buffer.from(`${bodyPrefix}"name":"a"}}`)
      assert.ok((await store.write({ key: '/a', body, expect: 0 })).ok)
      etcd.pause(0)
      const first = await untilUnavailable(() => store.get('/a'))
      assert.ok(first < 6000, `the first read took ${Math.round(first)} ms`)
      // From then on reads only probe whether it is back, with a shorter time-out.
      const next = await untilUnavailable(() => store.get('/a'))
      assert.ok(next < 2500, `the next read took ${Math.round(next)} ms`)
      etcd.resume(0)
      const end = performance.now() + 30_000
      for (;;) {
        const found = await Promise.resolve(store.get('/a')).catch(() => undefined)
        if (found) break
        assert.ok(performance.now() < end, 'reads succeed once it answers again')
      }
      await store.close()
    })

  halted('is named in the log while a start waits for it', async () => {
    const warnings: string[] = []
    etcd.pause(0)
    const store = await openPlace(etcd.servers, {
      place: 'waiting',
      warn(message) {
        warnings.push(message)
        etcd.resume(0)
      },
    })
    await store.close()
    assert.match(warnings[0] ?? '', /^the start is waiting for etcd, which has not answered for \d+ s/)
    assert.ok(warnings[0]?.includes(etcd.servers[0] ?? 'no server'))
  })
} else {
  console.log('SKIP etcd is not installed')
}

halted.run()
